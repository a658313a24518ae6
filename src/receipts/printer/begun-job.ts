import type { PrinterCondition, PrinterSettings } from '../../domain/printer.ts'
import type { PrinterBuffer } from './printer-buffer.ts'
import type { Timing } from './printer-timing.ts'
import type { Questions } from './questions.ts'
import type { TimeLeft } from './time-left.ts'

/** How a job ended whose first byte went to the line. */
export interface Ended {
  status: 'printed' | 'unconfirmed' | 'failed'
  /** For people; null when all is well. */
  detail: string | null
  /** Whether the printer may still wait for the rest of a command, or have something in its buffer. */
  interrupted: boolean
}

/** A job that has begun, and what it needs. */
export interface BegunJob {
  questions: Questions
  settings: PrinterSettings
  timing: Timing
  timeLeft: TimeLeft
  /** Whether this printer answers questions. */
  answers: boolean
  /** By `elapsed`: nobody waits for it any longer then. */
  giveUpAt: number
  elapsed: () => number
  statuses: StatusTally
  /** What the printer has. */
  buffer: PrinterBuffer
  /** The id that tells this receipt from others. */
  processId: string
  /** Asks everything. @returns undefined when one question was not answered. @throws LineError */
  look(): Promise<PrinterCondition | undefined>
}

/** Answers to `GS r 1` do not say to which: how many have come over all lines, and how many must have for all to be in. */
export interface StatusTally {
  seen: number
  due: number
}

export function unconfirmed(detail: string): Ended {
  return { status: 'unconfirmed', detail, interrupted: true }
}

export function failed(detail: string): Ended {
  return { status: 'failed', detail, interrupted: true }
}
