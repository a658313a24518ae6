import { FiskError } from '../../domain/errors.ts'
import { type Invoice, type Journal, journalKey } from '../ports/model.ts'
import type { PremisesState } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type IssuedRecord, type IssuedSale, issuedSale } from './issued-record.ts'

/** Sales of a premises that were issued, and that the database does not hold. */
export interface LostSales {
  journal: Journal
  /** Those that are known one by one, by their positions; the last one is the latest issued. */
  sales: readonly IssuedSale[]
}

export interface IssuedDeps {
  store: Pick<StoreTransaction, 'invoices'>
  record: IssuedRecord
  /** Called when a premises is found to lack sales. */
  onLost: (lost: LostSales) => void
}

/**
 * Compares the database with what was issued: a number that was given out is never given to another sale, whatever the
 * database forgets. A database ahead of the record is normal, because the record is written after the commit and not
 * flushed. Where the database lacks the latest issued sale of a premises, or holds another one at its place, nothing is
 * sold at that premises.
 */
export interface Issued {
  /** The latest issued sale of a premises. */
  end(journal: Journal): IssuedSale | undefined
  /** @param state as taken with the position of `end` @throws FiskError when the database lacks that sale */
  requireThere(end: IssuedSale | undefined, state: Pick<PremisesState, 'sealThen'>): void
  /** Resolves when it is written. Never rejects. */
  note(invoice: Invoice): Promise<void>
  /** Compares each premises. */
  compare(): Promise<void>
  /** The premises that lacked sales when they were compared last. */
  lost(): LostSales[]
  /** The numbers of a premises are accounted for: it sells again, from the end that the database has. */
  settle(journal: Journal): Promise<void>
  /** What is wrong with the record itself; null when all is well. */
  problem(): string | null
}

/** For what issues nothing. */
export const NOTHING_ISSUED: Pick<Issued, 'end' | 'requireThere' | 'note'> = {
  end: () => undefined,
  requireThere() {},
  note: async () => {},
}

export function createIssued({ store, record, onLost }: IssuedDeps): Issued {
  const found = new Map<string, LostSales>()

  async function compareOne(end: IssuedSale): Promise<void> {
    const { companyId, mode, premisesCode } = end
    const journal = { companyId, mode, premisesCode }
    const sales: IssuedSale[] = []
    for (const sale of record.of(journal).toReversed()) {
      if ((await store.invoices.sealAt(journal, sale.position)) === sale.seal) break
      sales.unshift(sale)
    }
    const key = journalKey(journal)
    if (sales.length === 0) {
      found.delete(key)
      return
    }
    const isNews = !found.has(key)
    found.set(key, { journal, sales })
    if (isNews) onLost({ journal, sales })
  }

  return {
    end: record.end,
    requireThere(end, { sealThen }) {
      if (!end || sealThen === end.seal) return
      void compareOne(end).catch(() => {})
      throw new FiskError('internal_error', refusal(end))
    },
    note: (invoice) => record.note(issuedSale(invoice)),
    async compare() {
      for (const end of record.ends()) await compareOne(end)
    },
    lost: () => [...found.values()],
    async settle(journal) {
      const last = await store.invoices.lastOf(journal)
      const [invoice] = last ? await store.invoices.journal(journal, last.journalPosition - 1, 1) : []
      await record.replace(journal, invoice ? [issuedSale(invoice)] : [])
      found.delete(journalKey(journal))
    },
    problem: record.problem,
  }
}

const refusal = ({ premisesCode, number }: IssuedSale) =>
  `the database has gone back in time: it does not hold receipt ${number} of premises ${premisesCode}, which was given ` +
  'out. Nothing is sold there until its numbers are accounted for: fisk doctor'
