import type { EpochMs } from '../../domain/instant.ts'
import type { InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { WantedNumber } from '../../domain/search-text.ts'
import type { Invoice, MessageRecord, PrintJob, Sequence } from './model.ts'
import type { Realm, Slice } from './rows/lists.ts'

/** The invoices to search, own ones and those from gateways: of one mode, or of both; of some companies, or of all. */
export interface LookupRealm extends Realm {
  tenantId: string
}

/** An invoice for bookkeeping, without the layout of its receipt. */
export type IssuedInvoice = Omit<Invoice, 'receipt' | 'seal'>

/** Set at most one of company, premises and device: each has an index of its own. Undefined fields do not filter. */
export interface IssuedFilter {
  tenantId: string
  mode: Mode
  companyId?: string | undefined
  premisesCode?: string | undefined
  deviceId?: string | undefined
  /** Sold at this moment or later. */
  from: EpochMs
  /** Sold before this moment. */
  to: EpochMs
  /** From the index of invoices without a JIR; set no place with it. */
  status?: Exclude<InvoiceStatus, 'confirmed'> | undefined
}

/** A message without its XML. */
export type MessageOutline = Omit<MessageRecord, 'requestXml' | 'responseXml'>

/** The fields needed to count invoices without a JIR. */
export type Unconfirmed = Pick<Invoice, 'id' | 'occurredAt' | 'deadlineAt' | 'gatewayId' | 'errorCode' | 'errorMessage'>

/** Searches for the office. Callers ask for large results in slices, so that no sale waits for them. */
export interface InvoiceLookups {
  /** The latest sale first. @param beginning at least 8 characters, in lower case */
  byZki(realm: LookupRealm, beginning: string, limit: number): Promise<Invoice[]>
  /** The latest sale first. @param beginning at least 8 characters, in lower case */
  byJir(realm: LookupRealm, beginning: string, limit: number): Promise<Invoice[]>
  /**
   * Invoices with this number in the next `sequences` sequences after a place, in no order; premises codes also match
   * in capitals. `next` is the place to go on after; null when there is no further sequence.
   */
  byNumber(
    realm: LookupRealm,
    wanted: WantedNumber,
    after: Sequence | null,
    sequences: number,
  ): Promise<{ invoices: Invoice[]; next: Sequence | null }>
  /** The oldest sale first. Every page costs the same. */
  issued(filter: IssuedFilter, slice: Slice): Promise<IssuedInvoice[]>
  /** The oldest sale first, from the index of invoices without a JIR. */
  unconfirmed(
    of: LookupRealm & { mode: Mode; status: Exclude<InvoiceStatus, 'confirmed'> },
    slice: Slice,
  ): Promise<Unconfirmed[]>
  /** Messages about an invoice, the latest first. @param before continue with attempts before this one */
  outlines(invoiceId: string, before: number | null, limit: number): Promise<MessageOutline[]>
  /** A stored text that is too long to be our own XML (`MESSAGE_ARCHIVE`) is returned as null. */
  message(id: string): Promise<MessageRecord | undefined>
  /** The receipt and its copies, the latest first. */
  prints(invoiceId: string, limit: number): Promise<PrintJob[]>
}
