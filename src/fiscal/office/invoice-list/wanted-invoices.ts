import type { EpochMs } from '../../../domain/instant.ts'
import type { Cents } from '../../../domain/money.ts'
import type { FiscalErrorCode, InvoiceStatus } from '../../../domain/sale/invoice.ts'
import type { Age } from '../../../domain/sale/invoice-age.ts'
import type { Mode, PaymentMethod } from '../../../domain/sale/sale.ts'
import type { Direction } from '../../ports/rows/invoice-ranges.ts'

/**
 * A status, or several: `waiting` for those that are sent again by themselves, `without_jir` for all that can still get
 * a JIR.
 */
export type WantedStatus = InvoiceStatus | 'waiting' | 'without_jir'

/** What a list of invoices is narrowed down to. Filters combine with AND; undefined fields do not filter. */
export interface WantedInvoices {
  mode: Mode | null
  status?: WantedStatus | undefined
  /** Only invoices without a JIR have an age. */
  age?: Age | undefined
  /** Why the last attempt failed; of invoices without a JIR. */
  cause?: FiscalErrorCode | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  deviceId?: string | undefined
  /** The name of a gateway. */
  gateway?: string | undefined
  payment?: PaymentMethod | undefined
  amount?: { from: Cents | undefined; to: Cents | undefined } | undefined
  /** Sold at this moment or later. */
  from?: EpochMs | undefined
  /** Sold before this moment. */
  to?: EpochMs | undefined
}

/** By the moment of the sale, which is also the order of the deadlines, or by amount. */
export interface ListOrder {
  by: 'time' | 'amount'
  direction: Direction
}
