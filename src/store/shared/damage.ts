/** The database is not what this program wrote: nothing may be sold on it. */
export class UnusableDatabase extends Error {
  /** What is wrong, for people. */
  readonly problems: readonly string[]
  /** The file itself is broken, not only what somebody made of its schema. */
  readonly damaged: boolean

  constructor(problems: readonly string[], options: { damaged: boolean; cause?: unknown }) {
    super(problems.join('; '), { cause: options.cause })
    this.name = 'UnusableDatabase'
    this.problems = problems
    this.damaged = options.damaged
  }
}

/** The database is of a newer fiskd: this one would not know what it must keep. */
export class NewerDatabase extends UnusableDatabase {
  /** Version of the fiskd that used it last; null when it does not say. */
  readonly program: string | null
  /** Its newest schema change, and the newest that this program knows. */
  readonly schema: string
  readonly known: string

  constructor({ program, schema, known }: { program: string | null; schema: string; known: string }) {
    const which = program === null ? '' : ` ${program}`
    super([`it was made by a newer fiskd${which} (schema ${schema}; this one knows up to ${known})`], {
      damaged: false,
    })
    this.name = 'NewerDatabase'
    this.program = program
    this.schema = schema
    this.known = known
  }
}

/** Its sales go on elsewhere: to sell on it as well would give out their numbers again. */
export class MovedDatabase extends UnusableDatabase {
  readonly to: string

  constructor(to: string) {
    super([`its sales were moved to ${to}`], { damaged: false })
    this.name = 'MovedDatabase'
    this.to = to
  }
}

/** Tells a broken database file from a full disk, a lock or a mistake. Looks through the causes of an error, too. */
export function isDamage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return (typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) || isDamage(cause)
}

/** The same error, as an `UnusableDatabase` where it says that the file is broken. */
export function asUnusable(error: unknown): unknown {
  if (error instanceof UnusableDatabase || !isDamage(error)) return error
  const { message } = innermost(error)
  return new UnusableDatabase([message], { damaged: true, cause: error })
}

function innermost(error: unknown): Error {
  const { cause } = error as Error
  return cause instanceof Error ? innermost(cause) : (error as Error)
}
