import type { Mode } from '../../domain/sale/sale.ts'
import type { StoreTransaction } from './store.ts'

/** An answer that was believed when it came, with what it answered. */
export interface BelievedAnswer {
  deviceId: string
  mode: Mode
  messageId: string
  xml: string
}

/** What the warm-up needs of a database that no other process uses. */
export interface RehearsalStore {
  /** Runs work in a transaction that is rolled back and never written to disk; sales wait until it is over. */
  rolledBack<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  /** The latest answer with a JIR, if one of the latest messages has one. */
  latestAnswer(): Promise<BelievedAnswer | undefined>
}
