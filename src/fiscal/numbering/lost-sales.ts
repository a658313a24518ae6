import { FiskError } from '../../domain/errors.ts'
import { type Invoice, isSameSequence, journalKey, type ReservedNumbers } from '../ports/model.ts'
import { type Behind, type IssuedRecord, type IssuedSale, issuedSale } from '../ports/rows/issued.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'

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

/**
 * Stops each premises whose journal lacks a sale that was stored once, and lets those sell again whose sales are all
 * accounted for: stored again, or with numbers out of use. A database ahead of what is known is normal.
 * @param known what this process knows of sales that it has stored @returns the premises that sell nothing
 */
export async function compareIssued(tx: StoreTransaction, known: readonly IssuedSale[]): Promise<Behind[]> {
  const before = await tx.issued.behind()
  const sales = new Map(before.flatMap((one) => one.sales).map((sale) => [sale.seal, sale]))
  // What is known here may say a JIR, too.
  for (const sale of known) if (sale.jir !== null || !sales.has(sale.seal)) sales.set(sale.seal, sale)
  const premises = new Map(before.map((one): [string, Behind] => [journalKey(one), { ...one, sales: [] }]))
  for (const sale of await lackedOf(tx, [...sales.values()])) {
    const { companyId, mode, premisesCode } = sale
    const one = premises.get(journalKey(sale)) ?? { companyId, mode, premisesCode, sales: [] }
    one.sales.push(sale)
    premises.set(journalKey(sale), one)
  }
  for (const one of premises.values()) {
    one.sales.sort((a, b) => a.position - b.position)
    await tx.issued.setBehind(one)
  }
  return [...premises.values()].filter((one) => one.sales.length > 0)
}

async function lackedOf(tx: StoreTransaction, sales: readonly IssuedSale[]): Promise<IssuedSale[]> {
  const held = await tx.issued.held(sales)
  const lacked = sales.filter(({ seal }) => !held.has(seal))
  if (lacked.length === 0) return []
  const reserved = await tx.numbering.reserved()
  // Whatever sale it was noted for: it is never given out again.
  const ahead = await tx.numbering.ahead()
  const isOutOfUse = (sale: IssuedSale) =>
    reserved.some((range) => isReserved(sale, range)) ||
    ahead.some((one) => isSameSequence(one, sale) && one.number === sale.number)
  return lacked.filter((sale) => !isOutOfUse(sale))
}

/** Whether the number of a sale is among the numbers of a range of its sequence. */
export const isReserved = (sale: IssuedSale, range: ReservedNumbers) =>
  isSameSequence(range, sale) && BigInt(range.first) <= BigInt(sale.number) && BigInt(sale.number) <= BigInt(range.last)

/** Says to a caller that the premises sells nothing, until a process stores again what it knows: within seconds where one does. */
export function lacksSales(premisesCode: string): FiskError {
  return new FiskError(
    'internal_error',
    `the database lacks sales of premises ${premisesCode} that were stored once: it sells nothing, so that no receipt number is given out twice: fisk doctor`,
    { retryAfterS: 10 },
  )
}
