import type { Invoice } from '../ports/model.ts'
import { type Behind, type IssuedRecord, issuedSale } from '../ports/rows/issued.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { compareIssued } from './behind.ts'

export interface IssuedDeps {
  store: Store
  record: IssuedRecord
  /** Called when a premises is found to lack sales. */
  onLost: (lost: Behind) => void
}

/** For what issues nothing. */
export const NOTHING_ISSUED: Pick<Issued, 'note'> = { note: async () => {} }

export type Issued = ReturnType<typeof createIssued>

/**
 * What this process has issued, compared with the database: a number that was given out is never given to another sale,
 * whatever the database forgets. A database ahead of the record is normal, because the record is written after the commit
 * and not flushed. A premises whose journal lacks an issued sale sells nothing.
 */
export function createIssued({ store, record, onLost }: IssuedDeps) {
  let lost: readonly Behind[] = []

  async function compareIn(tx: StoreTransaction): Promise<void> {
    const before = new Set(lost.map(({ premisesCode, sales }) => `${premisesCode} ${sales.at(-1)?.seal}`))
    lost = await compareIssued(tx, record.sales())
    for (const one of lost) if (!before.has(`${one.premisesCode} ${one.sales.at(-1)?.seal}`)) onLost(one)
  }

  return {
    /** Resolves when it is written. Never rejects. */
    note: (invoice: Invoice): Promise<void> => record.note(issuedSale(invoice)),
    /** Compares, in a transaction that the store began: before the first sale, and when the database may have gone back. */
    compareIn,
    compare: (): Promise<void> => store.transaction(compareIn),
    /** The premises that lacked sales when they were compared last. */
    lost: (): readonly Behind[] => lost,
    /** What this process knows as issued. */
    known: record.sales,
    problem: record.problem,
  }
}
