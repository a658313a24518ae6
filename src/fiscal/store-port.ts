import type { EpochMs } from '../domain/instant.ts'
import type { InvoiceStatus } from '../domain/invoice.ts'
import type { SequenceMark } from '../domain/receipt-number.ts'
import type {
  ApiKey,
  Certificate,
  Company,
  Device,
  IdempotencyRecord,
  Invoice,
  InvoiceProgress,
  MessageRecord,
  Sequence,
} from './model.ts'

/**
 * What is stored, by aggregate. Reads return `undefined` for what is not there. Inserts throw `Duplicate` when a unique
 * key is taken, and nothing is stored then.
 */
export interface StoreTransaction {
  companies: {
    insert(company: Company): Promise<void>
    get(id: string): Promise<Company | undefined>
    byOib(oib: string): Promise<Company | undefined>
    all(): Promise<Company[]>
  }
  devices: {
    insert(device: Device): Promise<void>
    get(id: string): Promise<Device | undefined>
    /** By id, or by label, which several companies may use. */
    named(tenantId: string, labelOrId: string): Promise<Device[]>
    update(id: string, changes: Partial<Omit<Device, 'id' | 'companyId' | 'tenantId' | 'premisesCode'>>): Promise<void>
    /** Of the active ones; `lastSuccessAt` is the moment of the latest JIR. */
    summary(): Promise<{ total: number; withoutIsu: number; lastSuccessAt: EpochMs | null }>
  }
  certificates: {
    insert(certificate: Certificate): Promise<void>
    /** The one in use: neither superseded nor revoked. */
    current(companyId: string): Promise<Certificate | undefined>
    /** Takes the one in use, if there is one, out of use. */
    supersedeCurrent(companyId: string, at: EpochMs): Promise<void>
  }
  numbering: {
    /** The level a premises numbers by in a year, undefined before its first receipt. */
    level(premises: Omit<Sequence, 'register'>): Promise<SequenceMark | undefined>
    setLevel(premises: Omit<Sequence, 'register'>, level: SequenceMark): Promise<void>
    /** The highest number used in a sequence. */
    highest(sequence: Sequence): Promise<string | undefined>
    setHighest(sequence: Sequence, number: string): Promise<void>
  }
  invoices: {
    insert(invoice: Invoice): Promise<void>
    get(id: string): Promise<Invoice | undefined>
    /** Changes what an attempt may change. A JIR, once stored, stays: progress on a confirmed or expired invoice throws. */
    progress(id: string, progress: InvoiceProgress): Promise<void>
    /** Invoices of one status, the most endangered first. */
    byDeadline(status: InvoiceStatus, limit: number, after?: { deadlineAt: EpochMs; id: string }): Promise<Invoice[]>
    queue(): Promise<Queue>
  }
  messages: {
    insert(message: MessageRecord): Promise<void>
    /** Oldest first. */
    ofInvoice(invoiceId: string): Promise<MessageRecord[]>
  }
  idempotency: {
    insert(record: IdempotencyRecord): Promise<void>
    get(scope: string, key: string): Promise<IdempotencyRecord | undefined>
    complete(scope: string, key: string, response: { status: number; body: string }): Promise<void>
    remove(scope: string, key: string): Promise<void>
    removeBefore(moment: EpochMs): Promise<void>
  }
  apiKeys: {
    insert(key: ApiKey): Promise<void>
    byHash(hash: string): Promise<ApiKey | undefined>
  }
}

/** How many invoices lack a JIR, by status, and when the first of those that still can get one runs out of time. */
export interface Queue {
  pending: number
  retrying: number
  failed: number
  expired: number
  nextDeadlineAt: EpochMs | null
}

/** Single reads and writes outside a transaction are each their own; `transaction` is all or nothing. */
export interface Store extends StoreTransaction {
  /**
   * Runs the work in one durable transaction: when it resolves, everything is on disk; when the work throws, nothing is
   * stored. Transactions do not overlap. Use only the store handed to the work inside of it.
   */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  /** Milliseconds a trivial query takes; throws when the database does not answer. */
  ping(): Promise<number>
}

/** A unique key is taken. */
export class Duplicate extends Error {
  constructor(cause: unknown) {
    super('a unique key is taken', { cause })
    this.name = 'Duplicate'
  }
}
