/**
 * Whether the database can be reached now. While it is away every call of the store throws `DatabaseAway` within four
 * seconds of the first sign, also those that were waiting for an answer when it went away. A database that cannot be
 * reached is away within seconds of the first sign, and back when it accepts writes again (a standby that is not
 * promoted yet is away).
 */
export interface DatabaseReach {
  isAway(): boolean
  /** Resolves when the database is back, at once when it is not away. */
  back(): Promise<void>
  /** Calls the listener each time the database goes away, not for an outage that began before. @returns stops that */
  onAway(listener: (reason: string) => void): () => void
  /** Calls the listener each time the database is back, after `isAway` says so. @returns stops that */
  onBack(listener: () => void): () => void
}

/** A file on this machine is never away. */
export const NEVER_AWAY: DatabaseReach = {
  isAway: () => false,
  back: async () => {},
  onAway: () => () => {},
  onBack: () => () => {},
}

/** The database cannot be reached. Whether a write that was under way is stored is unknown. */
export class DatabaseAway extends Error {
  constructor(cause?: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    super(`the database cannot be reached${reason}`, { cause })
    this.name = 'DatabaseAway'
  }
}
