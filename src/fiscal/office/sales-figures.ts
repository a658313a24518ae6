import { setImmediate } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import { AGES, type Age, ageSpans } from '../../domain/sale/invoice-age.ts'
import type { Figures, SalesOf } from '../ports/rows/sales.ts'

export interface SalesFigures {
  /** Invoices that will be sent automatically. */
  waiting: number
  /** Invoices that need an action first. */
  failed: number
  expired: number
  /** The oldest sale that can still be confirmed; null when there is none. */
  oldestAt: EpochMs | null
  /** Invoices without a JIR, by age. */
  ages: Record<Age, number>
}

/** What lacks a JIR of a tenant's sales in a mode. Pauses for other work after each query. */
export async function salesFigures(figures: Figures, part: SalesOf, now: EpochMs): Promise<SalesFigures> {
  const spans = ageSpans(now)
  const found = { waiting: 0, failed: 0, expired: 0, oldestAt: null as EpochMs | null }
  const ages: Record<Age, number> = { young: 0, older: 0, day_21: 0, day_25: 0, day_28: 0, too_late: 0 }
  for (const age of AGES) {
    for (const { status, count, oldestAt } of await figures.unconfirmed(part, spans[age])) {
      ages[status === 'expired' ? 'too_late' : age] += count
      found[status === 'pending' || status === 'retrying' ? 'waiting' : status] += count
      if (status !== 'expired') found.oldestAt = Math.min(found.oldestAt ?? oldestAt, oldestAt)
    }
    await setImmediate()
  }
  return { ...found, ages }
}
