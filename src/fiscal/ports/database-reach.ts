/**
 * Whether the database can be reached now. While it is away every call of the store throws `DatabaseAway`, also those
 * that were waiting for an answer when it went away: no call of the store hangs for longer than it takes to notice.
 * A database that cannot be reached is away within a second or two of the first sign, and back when it accepts writes
 * again (a standby that is not promoted yet is away).
 */
export interface DatabaseReach {
  isAway(): boolean
  /** Calls the listener each time the database goes away, not for an outage that began before. @returns stops that */
  onAway(listener: () => void): () => void
  /** Calls the listener each time the database is back, after `isAway` says so. @returns stops that */
  onBack(listener: () => void): () => void
}

/** A file on this machine is never away. */
export const NEVER_AWAY: DatabaseReach = {
  isAway: () => false,
  onAway: () => () => {},
  onBack: () => () => {},
}
