import type { EpochMs } from '../../../domain/instant.ts'
import type { FiscalErrorCode, InvoiceStatus } from '../../../domain/sale/invoice.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { IdempotencyRecord, Invoice, InvoiceProgress, Journal, MessageRecord } from '../model.ts'
import type { Slice } from './lists.ts'

/** Filters combine with AND; what is undefined does not filter. */
export interface InvoiceFilter {
  tenantId: string
  mode: Mode | null
  companyId?: string | undefined
  deviceId?: string | undefined
  premisesCode?: string | undefined
  status?: InvoiceStatus | undefined
  /** Sold at this moment or later. */
  from?: EpochMs | undefined
  /** Sold before this moment. */
  to?: EpochMs | undefined
}

/** The messages about an invoice as far as they fit into one answer (`MESSAGE_ARCHIVE`): the newest do. */
export interface MessageTrail {
  /** Oldest first. */
  messages: MessageRecord[]
  /** How many messages are older, and how many texts of those above had no room: they are null. */
  leftOut: { messages: number; xml: number }
}

export interface InvoiceRows {
  insert(invoice: Invoice): Promise<void>
  get(id: string): Promise<Invoice | undefined>
  /** The latest sale first. Costs the same on every page. */
  list(filter: InvoiceFilter, slice: Slice): Promise<Invoice[]>
  /** Changes what an attempt may change. A JIR, once stored, stays: progress on a confirmed or expired invoice throws. */
  progress(id: string, progress: InvoiceProgress): Promise<void>
  /** Invoices of one status, the most endangered first. */
  byDeadline(
    status: InvoiceStatus,
    limit: number,
    narrow?: { mode?: Mode | undefined; after?: Pick<Invoice, 'deadlineAt' | 'id'> | undefined },
  ): Promise<Invoice[]>
  queue(): Promise<Queue>
  /** How many of our own have failed with a code, by tenant and mode. */
  failedWith(code: FiscalErrorCode): Promise<{ tenantId: string; mode: Mode; count: number }[]>
  /**
   * Our own of one status in the order of their deadlines, those of them with a deadline before a moment: only what
   * somebody is told of. Slice by slice, for there may be a hundred thousand.
   */
  waiting(
    status: Exclude<InvoiceStatus, 'confirmed'>,
    before: EpochMs,
    limit: number,
    after?: Pick<WaitingInvoice, 'deadlineAt' | 'id'>,
  ): Promise<WaitingInvoice[]>
  /** The latest entry of a journal. */
  lastOf(journal: Journal): Promise<{ journalPosition: number; seal: string } | undefined>
  /** Entries of a journal from a place on, in order. */
  journal(journal: Journal, afterPosition: number, limit: number): Promise<Invoice[]>
  /** Every journal there is here; what gateways have told of stands in none. */
  journals(): Promise<Journal[]>
}

export interface MessageRows {
  insert(message: MessageRecord): Promise<void>
  /** Those about an invoice; unpacked one after the other, so that it belongs into no transaction. */
  trail(invoiceId: string): Promise<MessageTrail>
}

export interface IdempotencyRows {
  insert(record: IdempotencyRecord): Promise<void>
  get(scope: string, key: string): Promise<IdempotencyRecord | undefined>
  complete(scope: string, key: string, response: { status: number; body: string }): Promise<void>
  remove(scope: string, key: string): Promise<void>
  /** @param mode of the API keys whose they are; null for those of users and of the operator */
  removeBefore(moment: EpochMs, mode: Mode | null): Promise<void>
  /** The time of keys from this moment on starts anew at another one; of a mode, and of users and the operator. */
  restart(from: EpochMs, at: EpochMs, mode: Mode): Promise<void>
}

/** The sales of a tenant in one mode, own ones and those of gateways. */
export interface SalesOf {
  tenantId: string
  mode: Mode
}

/** Sold from this moment on, and before that one; without an end in either direction when left out. */
export interface Span {
  from?: EpochMs | undefined
  to?: EpochMs | undefined
}

/**
 * What is counted for people. Everything comes from indexes, and costs what it counts: whoever wants much asks for one
 * part after the other, so that a sale that comes in between need not wait.
 */
export interface Figures {
  /** How many sales were made in each of so many hours, the first of which begins at a moment. */
  soldByHour(of: SalesOf, from: EpochMs, hours: number): Promise<number[]>
  /** What lacks a JIR, by status, with the moment of the oldest sale; a status without any is left out. */
  unconfirmed(of: SalesOf, span: Span): Promise<{ status: UnconfirmedStatus; count: number; oldestAt: EpochMs }[]>
  /** How many of the sales of each hour (of UTC, by the moment it began) lack a JIR; hours without any are left out. */
  unconfirmedByHour(of: SalesOf, from: EpochMs): Promise<Map<EpochMs, number>>
  /** The first messages about the latest sales of each span, of so many sales at most; in no order. */
  exchanges(
    of: SalesOf,
    spans: readonly Span[],
    salesOfEach: number,
  ): Promise<{ createdAt: EpochMs; durationMs: number; answered: boolean }[]>
  /** Of the active devices of a tenant, own ones and those of gateways; `lastSuccessAt` is the moment of the latest JIR. */
  devices(
    tenantId: string,
  ): Promise<{ total: number; withoutIsu: number; mismatched: number; lastSuccessAt: EpochMs | null }>
}

export type UnconfirmedStatus = Exclude<InvoiceStatus, 'confirmed'>

/** What alerts tell of an invoice that lacks its JIR. */
export type WaitingInvoice = Pick<
  Invoice,
  'id' | 'tenantId' | 'companyId' | 'mode' | 'occurredAt' | 'deadlineAt' | 'errorCode' | 'errorMessage'
>

/** How many invoices lack a JIR, by status, and when the first of those that still can get one runs out of time. */
export interface Queue {
  pending: number
  retrying: number
  failed: number
  expired: number
  nextDeadlineAt: EpochMs | null
}
