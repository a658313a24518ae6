import type { EpochMs } from '../../../domain/instant.ts'
import type { Cents } from '../../../domain/money.ts'
import type { FiscalErrorCode } from '../../../domain/sale/invoice.ts'
import type { PaymentMethod } from '../../../domain/sale/sale.ts'
import type { Invoice } from '../model.ts'
import type { SalesOf, UnconfirmedStatus } from './sales.ts'

/** What an index of the invoices of a tenant and mode begins with. */
export type RangeKey =
  | { by: 'all' }
  | { by: 'status'; value: UnconfirmedStatus }
  | { by: 'device'; value: string }
  | { by: 'premises'; value: string }
  | { by: 'company'; value: string }
  | { by: 'gateway'; value: string }
  | { by: 'amount'; value: Cents }
  /** The whole index is by amount, then by moment. */
  | { by: 'amounts' }

/** A position between two entries of an index; `amount` counts in the range `amounts` only. */
export interface RangePosition {
  amount: Cents
  at: EpochMs
  id: string
}

/** The end of a range; an entry at this very position is part of the range only where it is included. */
export interface RangeEnd extends RangePosition {
  isIncluded?: true
}

/** The entries of an index between two positions. */
export interface InvoiceRange {
  of: Pick<SalesOf, 'tenantId' | 'mode'>
  key: RangeKey
  above: RangeEnd
  below: RangeEnd
}

/** What an index does not tell: each entry that is looked at is compared with it. Undefined fields do not filter. */
export interface RangeMatch {
  companyIds?: readonly string[] | undefined
  gatewayId?: string | undefined
  deviceId?: string | undefined
  premisesCode?: string | undefined
  status?: Invoice['status'] | undefined
  errorCode?: FiscalErrorCode | undefined
  paymentMethod?: PaymentMethod | undefined
  /** At least this much. */
  amountFrom?: Cents | undefined
  /** At most this much. */
  amountTo?: Cents | undefined
  /** Sold at this moment or later. */
  soldFrom?: EpochMs | undefined
  /** Sold before this moment. */
  soldTo?: EpochMs | undefined
}

export type Direction = 'ascending' | 'descending'

/**
 * Parts of lists of invoices. Each call reads entries of one index in its order: it takes as long as it looks at
 * entries, so callers bound their number by `positionAfter` and let other work run in between.
 */
export interface InvoiceRanges {
  /** The positions of the first matching invoices of a range, in the direction. */
  positions(range: InvoiceRange, direction: Direction, match: RangeMatch, limit: number): Promise<RangePosition[]>
  /** The position of the `count`th entry of a range in the direction; undefined when there are fewer. */
  positionAfter(range: InvoiceRange, direction: Direction, count: number): Promise<RangePosition | undefined>
  /** How many match in a range, and their sum. */
  tally(range: InvoiceRange, match: RangeMatch): Promise<{ count: number; cents: Cents }>
}
