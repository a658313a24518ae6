import type { CalendarDate } from '../../domain/calendar-date.ts'
import type { IssuedFilter, IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { CorrectedFields } from '../ports/rows/authority-requests.ts'
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
