import type { EpochMs } from '../../../domain/instant.ts'
import type { ConnectionBreak } from '../../../domain/sale/connection-break.ts'
import type { Mode } from '../../../domain/sale/sale.ts'

export interface ClockMarkRows {
  /** The marks as last saved; before the first save, derived from other rows. */
  load(mode: Mode): Promise<ClockMarks>
  /** Saves the given marks in one write. */
  save(mode: Mode, moments: Partial<ClockMarks>): Promise<void>
}

export interface LeaseRows {
  /** Takes or renews a lease, by the database's clock where it is shared. @returns false while another owner has it */
  take(name: string, owner: string, now: EpochMs, lastsMs: number): Promise<boolean>
  release(name: string, owner: string): Promise<void>
  /** Ends every lease. Only for a start when no other process uses this database. */
  clear(): Promise<void>
}

/** A process that serves the database now. */
export interface ServingProcess {
  id: number
  /** The name of its machine. */
  host: string
  pid: number
  version: string
  startedAt: EpochMs
}

export interface ProcessRows {
  /** The processes that use this database, the oldest first; none with SQLite, which one process uses. */
  list(): Promise<ServingProcess[]>
}

/** Stored times, for a machine whose clock does not survive a power loss. Zero means never. */
export interface ClockMarks {
  /** The newest time of the clock while the clock was plausible. */
  newestAt: EpochMs
  /** The proven time: a moment that is certainly past. */
  provenAt: EpochMs
  /** The proven time when it was last exact, not only a lower bound; nothing was ever proven where it is zero. */
  exactAt: EpochMs
}

export interface ConnectionBreakRows {
  /** The breaks of the last weeks, the earliest first. */
  list(): Promise<ConnectionBreak[]>
  /** Stores them in place of those before. */
  put(breaks: readonly ConnectionBreak[]): Promise<void>
}
