import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/sale/sale.ts'

export interface ClockMarkRows {
  /** As they were saved last; before that, as far as the other rows tell. */
  load(mode: Mode): Promise<ClockMarks>
  /** All of them or some, at once. */
  save(mode: Mode, moments: Partial<ClockMarks>): Promise<void>
}

export interface LeaseRows {
  /**
   * Takes or renews a lease. @returns false when another owner's has not expired yet
   */
  take(name: string, owner: string, now: EpochMs, expiresAt: EpochMs): Promise<boolean>
  /** Gives back what the owner holds. */
  release(name: string, owner: string): Promise<void>
  /** Ends every lease: only for a start that knows of no other process on this database. */
  clear(): Promise<void>
}

/** What is remembered of the time, for a machine that forgets it with the power. Zero is never. */
export interface ClockMarks {
  /** The newest moment that the clock showed while nothing spoke against it. */
  newestAt: EpochMs
  /** The proven time. */
  provenAt: EpochMs
  /** The proven time when it was last known to be the true one, not only a moment that is past. */
  exactAt: EpochMs
}
