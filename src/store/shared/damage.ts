/** The database is not what this program wrote: nothing may be sold on it. */
export class UnusableDatabase extends Error {
  /** What is wrong, for people. */
  readonly problems: readonly string[]
  /** True when the file itself is broken; false when for example only its schema is wrong. */
  readonly damaged: boolean

  constructor(problems: readonly string[], options: { damaged: boolean; cause?: unknown }) {
    super(problems.join('; '), { cause: options.cause })
    this.name = 'UnusableDatabase'
    this.problems = problems
    this.damaged = options.damaged
  }
}

/** A newer fiskd made the database: this version does not know which rules of it to keep. */
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

/** The sales were moved to another database: selling on this one too would give out the same numbers again. */
export class MovedDatabase extends UnusableDatabase {
  readonly to: string

  constructor(to: string) {
    super([`its sales were moved to ${to}`], { damaged: false })
    this.name = 'MovedDatabase'
    this.to = to
  }
}

/** Its rows were stored somewhere else before: numbers that were given out there since are not in it. */
export class RestoredDump extends UnusableDatabase {
  /** When the last fiskd had stopped in order, where it was copied after that and is whole. */
  readonly stoppedAt: string | undefined

  constructor(stoppedAt?: string) {
    const lacks =
      stoppedAt === undefined ? 'may lack sales' : `has all that was sold until every fiskd had stopped at ${stoppedAt}`
    super([`it was restored from a dump, or copied row by row, and ${lacks}`], { damaged: false })
    this.name = 'RestoredDump'
    this.stoppedAt = stoppedAt
  }
}

/** Whether an error, or one of its causes, means a broken database file and not a full disk, a lock or a bug. */
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
