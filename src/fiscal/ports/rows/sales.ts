import type { EpochMs } from '../../../domain/instant.ts'
import type { Cents } from '../../../domain/money.ts'
import type { FiscalErrorCode, InvoiceStatus } from '../../../domain/sale/invoice.ts'
import type { JournalEnd } from '../../../domain/sale/journal.ts'
import type { SequenceMark } from '../../../domain/sale/receipt-number.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { LookupRealm } from '../invoice-lookups.ts'
import type {
  Certificate,
  Company,
  Device,
  DevicePrinter,
  IdempotencyRecord,
  Invoice,
  InvoiceProgress,
  Journal,
  MessageRecord,
  PrintJob,
  Sequence,
} from '../model.ts'
import type { Slice } from './lists.ts'

/** Filters combine with AND; undefined fields do not filter. */
export interface InvoiceFilter extends LookupRealm, Span {
  companyId?: string | undefined
  deviceId?: string | undefined
  premisesCode?: string | undefined
  status?: InvoiceStatus | undefined
}

/** The newest messages about an invoice that fit into one answer (`MESSAGE_ARCHIVE`). */
export interface MessageTrail {
  /** Oldest first. */
  messages: MessageRecord[]
  /** How many older messages are missing, and how many XML texts above are null because they did not fit. */
  leftOut: { messages: number; xml: number }
}

/** The way of a sale in few statements: on PostgreSQL each waits for the network, and `take` holds the premises. */
export interface SaleRows {
  /** What a sale of this device depends on. */
  origin(deviceId: string): Promise<Origin | undefined>
  /** Inside a transaction: locks the premises, so that the next sale there waits for this one. */
  take(sequence: Sequence): Promise<PremisesState>
  /**
   * Inside the transaction of `take`: stores a sale, its number and its key, and locks the invoice for this process.
   * @throws Duplicate when its number is taken; KeyTaken when its key is in use; ClaimLost when this process was removed
   */
  insert(sale: NewSale): Promise<void>
  /**
   * Stores an attempt to send an invoice that this process has locked, as a whole; on its own, or as part of a
   * transaction. The last one unlocks it. A stored JIR never changes: an attempt to send a confirmed or expired invoice
   * throws, and nothing is stored. May be repeated when the database was away.
   * @throws ClaimLost
   */
  storeOutcome(attempt: AttemptOutcome): Promise<void>
  /** A request as `storeOutcome` stores it, so that it can be made while its answer is waited for. */
  packed(requestXml: Buffer): Buffer
  /** Whether another process holds the invoice. Asked of a locked one: who holds it later finds what is stored here. */
  isElsewhere(invoiceId: string): Promise<boolean>
}

/** The device of a sale, with what it belongs to and what belongs to it. */
export interface Origin {
  device: Device
  company: Company
  /** The certificate that the company signs with. */
  certificate: Certificate | undefined
  printer: DevicePrinter | undefined
}

/** A premises, and one of its sequences, before its next sale. */
export interface PremisesState {
  /** The end of its journal; undefined before the first sale. */
  last: JournalEnd | undefined
  /** Undefined before the first sale of the year. */
  level: SequenceMark | undefined
  /** The highest number that the counting followed. */
  highest: string | undefined
  /** Whether any number of the sequence is or was ahead of its counting. */
  hasAhead: boolean
  /** Whether its journal lacks sales that were stored once: their numbers would be given out again. */
  isBehind: boolean
}

export interface NewSale {
  invoice: Invoice
  sequence: Sequence
  /** The new highest number of the sequence. */
  highest: string
  /** Replaces an earlier use of the key that is over. */
  use: IdempotencyRecord
  keyTime: KeyTime
  seenAt: EpochMs
}

export interface AttemptOutcome {
  /** As after the attempt. */
  invoice: Invoice
  /** Its request is `packed`. */
  message: (Omit<MessageRecord, 'requestXml'> & { requestXml: Buffer | null }) | null
  /** False when the invoice is sent once more at once. */
  isLast: boolean
  /** What the answer says about the device: its latest JIR, or that its ISU number is another one there. */
  device: { lastSuccessAt: EpochMs } | { mismatch: true } | null
  /** The response that is stored for replay. */
  response: { scope: string; key: string; status: number; body: string } | null
  receipt: PrintJob | null
}

export interface InvoiceRows {
  insert(invoice: Invoice): Promise<void>
  get(id: string): Promise<Invoice | undefined>
  /** In any order. Ask for a few: each may have 256 KB. */
  withIds(ids: readonly string[]): Promise<Invoice[]>
  /** As `get`, and no other transaction changes the invoice until this one ends. */
  locked(id: string): Promise<Invoice | undefined>
  /** The latest sale first. Every page costs the same. */
  list(filter: InvoiceFilter, slice: Slice): Promise<Invoice[]>
  /** Changes what an attempt may change. A stored JIR never changes: it throws for a confirmed or expired invoice. */
  progress(id: string, progress: InvoiceProgress): Promise<void>
  /** Invoices of one status, the earliest deadline first. */
  byDeadline(
    status: InvoiceStatus,
    limit: number,
    narrow?: { mode?: Mode | undefined; after?: Pick<Invoice, 'deadlineAt' | 'id'> | undefined },
  ): Promise<Invoice[]>
  queue(): Promise<Queue>
  /** How many own invoices failed with this code, by company and mode. */
  failedWith(code: FiscalErrorCode): Promise<{ tenantId: string; companyId: string; mode: Mode; count: number }[]>
  /** Own invoices of a status before a deadline, in its order, as alerts need them. In slices: there may be 100,000. */
  waiting(
    status: Exclude<InvoiceStatus, 'confirmed'>,
    before: EpochMs,
    limit: number,
    after?: Pick<WaitingInvoice, 'deadlineAt' | 'id'>,
  ): Promise<WaitingInvoice[]>
  /** The latest entry of a journal. */
  lastOf(journal: Journal): Promise<JournalEnd | undefined>
  /** Entries of a journal after a position, in order. */
  journal(journal: Journal, afterPosition: number, limit: number): Promise<Invoice[]>
  /** All own journals; invoices from gateways are in none. */
  journals(): Promise<Journal[]>
  /** Those from gateways, all counted: takes time in proportion. `newestAt` is when the newest of them was sold. */
  fromGateways(): Promise<{ gateways: number; invoices: number; newestAt: EpochMs | null }>
}

export interface MessageRows {
  insert(message: MessageRecord): Promise<void>
  /** The messages about an invoice. They are decompressed one after another, so do not call it in a transaction. */
  trail(invoiceId: string): Promise<MessageTrail>
}

/** The proven time of this process; null when it has none. */
export type KeyTime = EpochMs | null

/**
 * Keys are dated and judged by one clock, which each statement reads itself: on SQLite the proven time of the one process,
 * on PostgreSQL the clock of the database, whatever the process knows, and only while a process has lately found it right.
 * A key that is stored while that clock is not proven counts as used just now until the clock is proven, and while it is
 * not proven no key is over.
 */
export interface IdempotencyRows {
  insert(record: IdempotencyRecord, now: KeyTime): Promise<void>
  /** `isOver`: its 24 hours have passed. */
  get(scope: string, key: string, now: KeyTime): Promise<(IdempotencyRecord & { isOver: boolean }) | undefined>
  /** Stores a response, unless there is one. @returns the body that is stored */
  complete(scope: string, key: string, response: { status: number; body: string }): Promise<string>
  remove(scope: string, key: string): Promise<void>
  /** Removes keys that are over. @param mode the mode of the API keys; null for keys of users and of the operator */
  removeOver(now: KeyTime, mode: Mode | null): Promise<void>
  /**
   * Tells the true time. Keys that are dated later get this date: those of API keys of this mode, of users and of the
   * operator. On PostgreSQL it proves the clock of the database for some minutes, if that is right, and that dates them.
   * @returns false when that clock is wrong
   */
  prove(at: EpochMs, mode: Mode): Promise<boolean>
  /** Whether a process has lately found the clock of the database right; false on SQLite. */
  isProven(): Promise<boolean>
}

/** The sales of a tenant in one mode, own ones and those from gateways. */
export interface SalesOf extends LookupRealm {
  mode: Mode
}

/** Sold at `from` or later and before `to`; unlimited where left out. */
export interface Span {
  from?: EpochMs | undefined
  to?: EpochMs | undefined
}

/** Counts from indexes, for people. Callers ask for large spans in parts, so that a sale in between does not wait. */
export interface Figures {
  /**
   * The sales and their amounts per hour (UTC, the start of the hour); hours without any are left out. Refunds lower the
   * amount and are no sales. It reads each invoice: ask for some hours at once.
   */
  revenueByHour(of: SalesOf, span: Required<Span>): Promise<{ at: EpochMs; sales: number; amount: Cents }[]>
  /** The invoices without a JIR, by status, with the moment of the oldest sale; a status without any is left out. */
  unconfirmed(of: SalesOf, span: Span): Promise<{ status: UnconfirmedStatus; count: number; oldestAt: EpochMs }[]>
  /** How many invoices failed for which cause (null: not known), the most frequent first, of the `most` latest. */
  failedByCause(of: SalesOf, most: number): Promise<{ code: FiscalErrorCode | null; count: number }[]>
}

export type UnconfirmedStatus = Exclude<InvoiceStatus, 'confirmed'>

/** The fields of an invoice without a JIR that alerts show. */
export type WaitingInvoice = Pick<
  Invoice,
  'id' | 'tenantId' | 'companyId' | 'mode' | 'occurredAt' | 'deadlineAt' | 'errorCode' | 'errorMessage'
>

/** The invoices without a JIR by status, and the earliest deadline of those that can still get one. */
export type Queue = Record<UnconfirmedStatus, number> & { nextDeadlineAt: EpochMs | null }
