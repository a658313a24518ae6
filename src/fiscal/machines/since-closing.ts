import { periodAfter } from '../../domain/sale/closing-period.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Device } from '../ports/model.ts'
import type { TurnoverSpan } from '../ports/rows/turnover.ts'
import type { StoreTransaction } from '../ports/store.ts'

const EVER: TurnoverSpan = { unit: 'month', from: '2000-01-01', to: '3000-01-01' }

/**
 * What a machine has sold since the latest closed day or month of its premises, by the days of the sales. `since` is the
 * first day that counts (`2026-11-22`), null where nothing was closed yet; `cash` is what was paid in cash, in cents.
 */
export async function soldSinceClosing(
  rows: Pick<StoreTransaction, 'closings' | 'turnover'>,
  { id, tenantId, companyId, premisesCode }: Device,
  mode: Mode,
) {
  const closed = await rows.closings.latestOf({ companyId, premisesCode, mode })
  const since =
    closed
      .map((period) => periodAfter(period).starts)
      .sort()
      .at(-1) ?? null
  const span = since === null ? EVER : { unit: 'day' as const, from: since, to: EVER.to }
  const filter = { tenantId, mode, spans: [span], kinds: ['total'] as const, deviceIds: [id] }
  const sums = await rows.turnover.sums(filter, ['paymentMethod'])
  const cash = sums.find(({ paymentMethod }) => paymentMethod === 'G')?.amount ?? 0n
  return { since, sales: sums.reduce((all, { invoices }) => all + invoices, 0), cash }
}
