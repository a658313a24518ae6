import type { PrinterCondition, PrinterReason, PrinterSettings } from '../../domain/printer.ts'
import type { ReceiptProof } from './dialects/dialect.ts'
import type { createPrinterBuffer } from './printer-buffer.ts'
import type { createTimeLeft, Timing } from './printer-timing.ts'
import type { Questions } from './questions.ts'

/** The result of a job whose first byte was sent. */
export interface Ended {
  status: 'printed' | 'unconfirmed' | 'failed'
  /** For people; null without a problem. */
  detail: string | null
  /** Null when it came out, or nothing is known. */
  reason: PrinterReason | null
  /** Whether the printer may still wait for the rest of a command, or have something in its buffer. */
  interrupted: boolean
}

export interface BegunJob {
  questions: Questions
  settings: PrinterSettings
  timing: Timing
  timeLeft: ReturnType<typeof createTimeLeft>
  answers: boolean
  /** Time by `elapsed` after which the job is given up. */
  giveUpAt: number
  elapsed: () => number
  /** The bytes that the printer has. */
  buffer: ReturnType<typeof createPrinterBuffer>
  /** Undefined when the printer cannot prove that a receipt came out. */
  proof: ReceiptProof | undefined
  /** Call when proofs that were asked for will not come any more. */
  forget: () => void
  /** Asks all status questions. @returns undefined when one was not answered. @throws LineError */
  look(): Promise<PrinterCondition | undefined>
}

export function unconfirmed(detail: string, reason: PrinterReason | null): Ended {
  return { status: 'unconfirmed', detail, reason, interrupted: true }
}

export function failed(detail: string, reason: PrinterReason | null): Ended {
  return { status: 'failed', detail, reason, interrupted: true }
}
