import type { PrinterCondition, PrinterSettings } from '../../../domain/printer.ts'
import { describe, type Reported } from '../printer-condition.ts'

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
  /** @param interrupted earlier jobs may still be answered @returns undefined when nothing can prove a receipt */
  createProof(settings: PrinterSettings, interrupted: boolean): Proof | undefined
}

/**
 * What a printer sends about the end of a receipt. `status`: an answer to `GS r 1`; `id`: the id that function 48 of
 * `GS ( H` was given; `etb`: how many `ETB` a Star has executed, modulo 32; `cuts`, `power_ups`: counters of a Custom. Beside that: `keys`,
 * which pictures are in its memory.
 */
export type Mark =
  | { kind: 'status' }
  | { kind: 'id'; id: string }
  | { kind: 'etb' | 'cuts' | 'power_ups'; count: number }
  | { kind: 'keys'; keys: readonly string[]; isMore: boolean }

/** Finds out for one printer which receipts came out. It outlives lines, because answers may come over the next one. */
export interface Proof {
  hear(mark: Mark): void
  /** Call right before a receipt is sent. */
  begin(): ReceiptProof
  /** Call when everything that was asked before was answered, or will never be. */
  forget(): void
}

export interface ReceiptProof {
  /** Sent ahead of the content; prints nothing. */
  readonly before: Uint8Array
  /** Sent after the content, and awaited from then on. */
  after(): Uint8Array
  /** Whether the printer has proved that all of the content is on paper. */
  isThere(): boolean
  /** It may come when all was read, not printed: then it counts once the paper can be out and nothing has stopped. */
  readonly mayComeAhead?: boolean
}

export const NOTHING = new Uint8Array(0)

export const UNPROVABLE: ReceiptProof = { before: NOTHING, after: () => NOTHING, isThere: () => false }

/** A proof by counting: when the printer is `interrupted`, it proves nothing until earlier answers can be forgotten. */
export function counting(proof: Proof, interrupted: boolean): Proof {
  let knowsAll = !interrupted
  return {
    hear: proof.hear,
    begin: () => (knowsAll ? proof.begin() : UNPROVABLE),
    forget() {
      knowsAll = true
      proof.forget()
    },
  }
}

/** How a printer is asked whose one answer says all. */
export function askedAtOnce(question: Uint8Array, reportOf: (answer: Answer) => Reported) {
  const conditionIn = (answer: Answer) => describe(reportOf(answer))
  return {
    stands: { question, read: (answer) => conditionIn(answer).state === 'offline' },
    async look(ask) {
      const answer = await ask(question)
      return answer && { condition: conditionIn(answer), whole: true }
    },
  } satisfies Pick<Dialect, 'stands' | 'look'>
}

/** Enough bytes to complete any command that a printer still waits for; otherwise the printer ignores each. */
export const NULS = new Uint8Array(1100)
