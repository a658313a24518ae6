import type { CalendarDate } from '../../domain/calendar-date.ts'
import { slicesOf } from '../in-slices.ts'
import type { IssuedFilter, IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { CorrectedFields } from '../ports/rows/authority-requests.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Issuer } from './issuers.ts'

/** The sales to export, of one mode, because test sales are not real ones. */
export type ExportWanted = Omit<IssuedFilter, 'tenantId' | 'status'>

export interface ExportedInvoice {
  invoice: IssuedInvoice
  company: Issuer
  /** The device's label. */
  device: string
  /** As the tax authority has them, after corrections. */
  corrected: CorrectedFields
}

export type Period = 'day' | 'month'

export interface Grouping {
  period: Period
  per: 'premises' | 'company'
}

/** Sums of the sales of one day or month, in Zagreb time. */
export interface PeriodSums<Line> {
  /** The first day of the period, even when the export starts later in that month. */
  begins: CalendarDate
  companies: ReadonlyMap<string, Issuer>
  /** In no order; without a code of the premises where companies are added up. */
  lines: Line[]
}

/** Rows per query; each may have 256 KB, and after an outage there are thousands. */
const SLICE = 25

/** The oldest sale first; pauses for other work after each query. */
export function issuedInSlices(
  { lookups }: Pick<StoreTransaction, 'lookups'>,
  filter: IssuedFilter,
): AsyncGenerator<IssuedInvoice[]> {
  return slicesOf(SLICE, (last) =>
    lookups.issued(filter, { limit: SLICE, after: last && { at: last.occurredAt, id: last.id } }),
  )
}
