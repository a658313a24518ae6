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
