import type { EpochMs } from '../../domain/instant.ts'
import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Clock } from '../ports/clock.ts'
import { type Sequence, sequenceKey, sequenceOf } from '../ports/model.ts'
import type { IssuedSale } from '../ports/rows/issued.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { findCompany } from '../registry/companies.ts'
import { raiseTo } from './learned-numbers.ts'
import type { Issued } from './lost-sales.ts'

/** A sequence that goes on above numbers of sales that the database lacks. */
export interface SkippedNumbers {
  sequence: Sequence
  /** The highest number that the database knows; null when it knows none. */
  from: string | null
  /** It goes on after this number. */
  to: string
  /** The lost sales that are known one by one, by their positions. */
  sales: IssuedSale[]
}

export interface SkipOrder {
  companyId: string
  premisesCode: string
  /** Only report what would be done. */
  dryRun: boolean
}

/**
 * Takes the numbers of lost sales of a premises out of use, so that it sells again above them: a gap, never a number
 * again.
 * @returns the sequences that skip numbers; none when the premises lacks no sale
 * @throws FiskError 404 for an unknown company
 */
export async function skipLostNumbers(
  { store, clock, issued }: { store: Pick<Store, 'transaction'>; clock: Clock; issued: Issued },
  principal: Principal,
  { companyId: wanted, premisesCode, dryRun }: SkipOrder,
): Promise<SkippedNumbers[]> {
  requireScope(principal, 'fleet:write')
  await issued.compare()
  const skipped = await store.transaction(async (tx) => {
    const { id: companyId } = await findCompany(tx, principal, wanted, 'company_id')
    const lost = issued
      .lost()
      .filter((one) => one.companyId === companyId && one.premisesCode === premisesCode)
      .flatMap(({ sales }) => sales)
    const skipped: SkippedNumbers[] = []
    for (const key of new Set(lost.map(sequenceKey))) {
      const sales = lost.filter((sale) => sequenceKey(sale) === key)
      const done = await skip(tx, sales, clock.now(), dryRun)
      skipped.push(done)
      if (!dryRun) await audit(tx, principal, clock.now(), 'numbers.skipped', told(done))
    }
    return skipped
  })
  if (!dryRun) await issued.compare()
  return skipped
}

async function skip(
  tx: Pick<StoreTransaction, 'numbering'>,
  sales: readonly IssuedSale[],
  now: EpochMs,
  dryRun: boolean,
): Promise<SkippedNumbers> {
  const sequence = sequenceOf(sales[0] as IssuedSale)
  const from = (await tx.numbering.highest(sequence)) ?? null
  let to = from ?? '0'
  const ahead: IssuedSale[] = []
  for (const sale of sales.toSorted((a, b) => (BigInt(a.number) < BigInt(b.number) ? -1 : 1))) {
    if (!isWithinReach(sale.number, to)) ahead.push(sale)
    else if (BigInt(sale.number) > BigInt(to)) to = sale.number
  }
  if (!dryRun) {
    await raiseTo(tx, { ...sequence, highest: to, level: sequence.register === '' ? 'P' : 'N' }, now)
    await tx.numbering.noteAhead(ahead.map(({ number }) => ({ ...sequence, number, invoiceId: null, notedAt: now })))
  }
  return { sequence, from, to, sales: [...sales] }
}

function told({ sequence, from, to, sales }: SkippedNumbers) {
  const { companyId, mode, premisesCode, year, register } = sequence
  const numbers = sales.map(({ number, zki, jir }) => ({ number, zki, jir }))
  return { company_id: companyId, mode, premises_code: premisesCode, year, register, from, to, numbers }
}
