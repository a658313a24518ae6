import type { PrinterCondition, PrinterSettings } from '../../../domain/printer.ts'
import type { Mark, Proof } from './proof.ts'

/** What a printer answered to a question about its state, as it came. */
export type Answer = Uint8Array

/** Receives what a printer sends, by kind. */
export interface Heard {
  /** An answer about its state; it does not say to which question. */
  state(answer: Answer): void
  mark(mark: Mark): void
}

export interface Sorter {
  push(bytes: Uint8Array): void
  /** Number of invalid bytes: noise, a wrong baud rate, or no printer at all. */
  readonly garbage: number
}

/** @returns undefined when no answer came in time. @throws LineError */
export type Ask = (question: Uint8Array) => Promise<Answer | undefined>

/** How a kind of printer is asked, and what its answers mean. */
export interface Dialect {
  /** Tells which pictures are in the memory of the printer (`keys`). */
  readonly storesLogos?: true
  /** Sent when a line was opened. */
  readonly atOpen?: Uint8Array
  /** Whether it may send its state without a question, so that a state that nobody asked for is no late answer. */
  readonly reportsByItself?: boolean
  /** Prints nothing; wakes the printer while a receipt is encoded. */
  readonly wake: Uint8Array
  /** Ends any command that a printer still waits for, which would swallow what follows. */
  readonly recover: Uint8Array
  /** Whether the printer stands. It is asked between pieces of a receipt, so its answer is short. */
  readonly stands: { readonly question: Uint8Array; read(answer: Answer): boolean }
  /**
   * Asks all questions about the state.
   * @returns undefined when the first one was not answered; `whole` is false when another one was not
   */
  look(ask: Ask): Promise<{ condition: PrinterCondition; whole: boolean } | undefined>
  createSorter(heard: Heard): Sorter
  /**
   * @param interrupted whether the printer may still answer for jobs that were sent before
   * @returns undefined when the printer cannot prove that a receipt came out
   */
  createProof(settings: PrinterSettings, interrupted: boolean): Proof | undefined
}
