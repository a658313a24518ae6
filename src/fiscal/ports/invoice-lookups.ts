import type { EpochMs } from '../../domain/instant.ts'
import type { InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { WantedNumber } from '../../domain/search-text.ts'
import type { Invoice, MessageRecord, PrintJob, Sequence } from './model.ts'

/** Whose invoices, own ones and those of gateways: of one mode, or of both. */
export interface LookupRealm {
  tenantId: string
  mode: Mode | null
}

/** An invoice as books want it: without how its receipt looks. */
export type IssuedInvoice = Omit<Invoice, 'receipt' | 'seal'>

/** Sales of one place at most, for only by one there is an index: what is undefined does not filter. */
export interface IssuedFilter {
  tenantId: string
  mode: Mode
  /** Of the tenant. */
  companyId?: string | undefined
  premisesCode?: string | undefined
  /** Of the tenant. */
  deviceId?: string | undefined
  /** Sold at this moment or later. */
  from: EpochMs
  /** Sold before this moment. */
  to: EpochMs
}

/** So many rows behind a sale, in the order of the sales. */
export interface BehindSale {
  limit: number
  after?: { at: EpochMs; id: string } | undefined
}

/** A message without its XML. */
export type MessageOutline = Omit<MessageRecord, 'requestXml' | 'responseXml'>

/** What lacks a JIR, as far as it takes to count it. */
export type Unconfirmed = Pick<Invoice, 'id' | 'occurredAt' | 'deadlineAt' | 'gatewayId' | 'errorCode' | 'errorMessage'>

/** What an office looks up. No sale waits for any of it, so whoever wants much asks for it in slices. */
export interface InvoiceLookups {
  /** The latest sale first. @param beginning at least 8 characters, in lower case */
  byZki(realm: LookupRealm, beginning: string, limit: number): Promise<Invoice[]>
  /** The latest sale first. @param beginning at least 8 characters, in lower case */
  byJir(realm: LookupRealm, beginning: string, limit: number): Promise<Invoice[]>
  /**
   * Invoices of a number in so many sequences behind a place, in no order. A premises code counts as it was typed and in
   * capitals.
   * @returns `next`, the place to go on behind; null when there is no further sequence
   */
  byNumber(
    realm: LookupRealm,
    wanted: WantedNumber,
    after: Sequence | null,
    sequences: number,
  ): Promise<{ invoices: Invoice[]; next: Sequence | null }>
  /** The oldest sale first. Costs the same wherever it begins. */
  issued(filter: IssuedFilter, slice: BehindSale): Promise<IssuedInvoice[]>
  /** The oldest sale first, from an index of what lacks a JIR. */
  unconfirmed(
    of: { tenantId: string; mode: Mode; status: Exclude<InvoiceStatus, 'confirmed'> },
    slice: BehindSale,
  ): Promise<Unconfirmed[]>
  /** Messages about an invoice, the latest first. @param before the attempt to go on behind */
  outlines(invoiceId: string, before: number | null, limit: number): Promise<MessageOutline[]>
  /** XML that is too long to be one of ours (`MESSAGE_ARCHIVE`) is null. */
  message(id: string): Promise<MessageRecord | undefined>
  /** The receipt and its copies, the latest first. */
  prints(invoiceId: string, limit: number): Promise<PrintJob[]>
}
