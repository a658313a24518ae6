import type { Both } from '../../domain/texts/both.ts'
import type { Invoice } from '../ports/model.ts'
import { type Behind, type IssuedRecord, type IssuedSale, issuedSale } from '../ports/rows/issued.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { compareIssued } from './behind.ts'

export interface IssuedDeps {
  store: Pick<Store, 'transaction'>
  record: IssuedRecord
  /** Called when a premises is found to lack sales. */
  onLost: (lost: Behind) => void
}

/**
 * What this process has issued, compared with the database: a number that was given out is never given to another sale,
 * whatever the database forgets. A database ahead of the record is normal, because the record is written after the commit
 * and not flushed. A premises whose journal lacks an issued sale sells nothing.
 */
export interface Issued {
  /** Resolves when it is written. Never rejects. */
  note(invoice: Invoice): Promise<void>
  /** Compares, in a transaction that the store began: before the first sale, and when the database may have gone back. */
  compareIn(tx: StoreTransaction): Promise<void>
  /** Compares now. */
  compare(): Promise<void>
  /** The premises that lacked sales when they were compared last. */
  lost(): readonly Behind[]
  /** What this process knows as issued. */
  known(): IssuedSale[]
  /** What is wrong with the record itself; null when all is well. */
  problem(): Both | null
}

/** For what issues nothing. */
export const NOTHING_ISSUED: Pick<Issued, 'note'> = { note: async () => {} }

export function createIssued({ store, record, onLost }: IssuedDeps): Issued {
  let lost: readonly Behind[] = []

  async function compareIn(tx: StoreTransaction): Promise<void> {
    const before = new Set(lost.map(({ premisesCode, sales }) => `${premisesCode} ${sales.at(-1)?.seal}`))
    lost = await compareIssued(tx, record.sales())
    for (const one of lost) if (!before.has(`${one.premisesCode} ${one.sales.at(-1)?.seal}`)) onLost(one)
  }

  return {
    note: (invoice) => record.note(issuedSale(invoice)),
    compareIn,
    compare: () => store.transaction(compareIn),
    lost: () => lost,
    known: record.sales,
    problem: record.problem,
  }
}
