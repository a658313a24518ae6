import type { Mode, PaymentMethod } from '../../../domain/sale/sale.ts'
import type { Part, PartKind } from '../../../domain/sale/turnover.ts'

/** What sums are of: `total` is the whole invoice, the others are its parts. */
export type TurnoverKind = 'total' | PartKind

/** The days or months of a range, as `YYYY-MM-DD` of Zagreb; months by their first day. */
export interface TurnoverSpan {
  unit: 'day' | 'month'
  from: string
  /** Not included. */
  to: string
}

/** Which sums are wanted; undefined fields do not filter. */
export interface TurnoverFilter {
  tenantId: string
  mode: Mode
  /** One after the other, without overlapping: for a long range whole months, and the days around them. */
  spans: readonly TurnoverSpan[]
  kinds: readonly TurnoverKind[]
  companyIds?: readonly string[] | undefined
  premisesCode?: string | undefined
  deviceIds?: readonly string[] | undefined
}

/** What sums are told apart by. */
export type TurnoverColumn = keyof TurnoverKeys

interface TurnoverKeys {
  /** First day of the period. */
  starts: string
  kind: TurnoverKind
  deviceId: string
  companyId: string
  premisesCode: string
  paymentMethod: PaymentMethod
  refund: boolean
  /** Empty where the kind has no rate. */
  rate: string
  /** Empty where the kind has no name. */
  name: string
}

export type TurnoverSums<Column extends TurnoverColumn> = Pick<TurnoverKeys, Column> &
  Pick<Part, 'base' | 'tax' | 'amount'> & {
    /** How many invoices have such a part. */
    invoices: number
  }

/** Sums of all issued sales, with or without a JIR, kept by the statement that stores one; nothing ever lowers them. */
export interface TurnoverRows {
  /** The sums of what the filter names, for each combination of the columns that has any; in no order. */
  sums<Column extends TurnoverColumn>(filter: TurnoverFilter, by: readonly Column[]): Promise<TurnoverSums<Column>[]>
  /** The first day with sales at or after `from`, in whichever company; null when there is none. */
  firstDay(of: { tenantId: string; mode: Mode; from: string }): Promise<string | null>
}
