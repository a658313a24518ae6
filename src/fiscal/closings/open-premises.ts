import { periodAfter } from '../../domain/sale/closing-period.ts'
import type { ClosingsOf, PremisesCount, PremisesKey } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** What is sold and closed in a period, over all premises. */
export interface PeriodState {
  /** Premises with sales. */
  premises: number
  invoices: number
  /** Premises with invoices that no closing holds, by company and premises, and how many invoices these are. */
  open: PremisesCount[]
}

/** From the sums that are kept as sales are stored: no invoice is read. */
export async function periodState(
  store: Pick<StoreTransaction, 'closings' | 'turnover'>,
  of: ClosingsOf,
): Promise<PeriodState> {
  const { tenantId, mode, companyIds, premisesCode, unit, starts } = of
  const span = { unit, from: starts, to: periodAfter({ unit, starts }).starts }
  const filter = { tenantId, mode, premisesCode, spans: [span], kinds: ['total'] as const }
  const sold = await store.turnover.sums({ ...filter, companyIds: companyIds ?? undefined }, [
    'companyId',
    'premisesCode',
  ])
  const held = new Map((await store.closings.held(of)).map((one) => [keyOf(one), one.invoices]))
  const open = sold
    .map(({ companyId, premisesCode, invoices }) => ({ companyId, premisesCode, invoices }))
    .map((one) => ({ ...one, invoices: one.invoices - (held.get(keyOf(one)) ?? 0) }))
    .filter(({ invoices }) => invoices > 0)
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return { premises: sold.length, invoices: sold.reduce((sum, { invoices }) => sum + invoices, 0), open }
}

/** Ids and codes have no blanks. */
const keyOf = ({ companyId, premisesCode }: PremisesKey) => `${companyId} ${premisesCode}`
