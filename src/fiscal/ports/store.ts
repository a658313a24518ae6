import type { EpochMs } from '../../domain/instant.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import type { PrintJobStatus } from '../../domain/printer.ts'
import type { FiscalErrorCode, InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { SequenceMark } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Alerts } from './alerts.ts'
import type { Enrolments } from './enrolment.ts'
import type {
  CommandAttachment,
  CommandOutcome,
  GatewayCommand,
  NewGatewayCommand,
  ReceivedCommand,
} from './gateway-commands.ts'
import type { Gateways } from './gateways.ts'
import type { InvoiceLookups } from './invoice-lookups.ts'
import type { Mails } from './mail.ts'
import type {
  ActiveStatus,
  ApiKey,
  AuditEntry,
  Certificate,
  Company,
  Device,
  DevicePrinter,
  IdempotencyRecord,
  Invoice,
  InvoiceProgress,
  IsuStatus,
  Journal,
  JsonObject,
  MessageRecord,
  NumberAhead,
  PrintJob,
  ReservedNumbers,
  Sequence,
  Session,
  User,
} from './model.ts'
import type { Outbox } from './outbox.ts'
import type { Replicas } from './replicas.ts'

/** The tenant that the first start makes and that the local operator works for; its id and its name. */
export const DEFAULT_TENANT = 'default'

/** A place in a list: the row it stands at, by what the list is ordered by. */
export interface Position {
  at: EpochMs
  id: string
}

/** How much of a list is wanted, and after which place; rows that are added meanwhile move nothing. */
export interface Slice {
  limit: number
  after?: Position | undefined
}

/** Whose rows: of one tenant or of all, of one mode or of both. */
export interface Realm {
  tenantId: string | null
  mode: Mode | null
}

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

export interface CompanyFilter extends Realm {
  id?: string | undefined
  status?: ActiveStatus | undefined
}

export interface DeviceFilter extends Realm {
  /** Without those that gateways have told of. */
  ours?: true | undefined
  id?: string | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  isuStatus?: IsuStatus | undefined
  status?: ActiveStatus | undefined
  /** Of those that this gateway has told of. */
  gatewayId?: string | undefined
  /** A part of its label or address, or its whole premises code or ISU number. */
  text?: string | undefined
}

/** How many devices of a company are alike in this. */
export interface DeviceCount {
  gatewayId: string
  status: ActiveStatus
  isuStatus: IsuStatus
  count: number
}

export interface CertificateFilter extends Realm {
  /** Without those that gateways have told of. */
  ours?: true | undefined
  companyId?: string | undefined
}

/** The messages about an invoice as far as they fit into one answer (`MESSAGE_ARCHIVE`): the newest do. */
export interface MessageTrail {
  /** Oldest first. */
  messages: MessageRecord[]
  /** How many messages are older, and how many texts of those above had no room: they are null. */
  leftOut: { messages: number; xml: number }
}

/**
 * What is stored, by aggregate. Reads return `undefined` for what is not there. Inserts and updates throw `Duplicate`
 * when a unique key is taken, and nothing is stored then.
 */
export interface StoreTransaction {
  companies: {
    insert(company: Company): Promise<void>
    get(id: string): Promise<Company | undefined>
    byOib(tenantId: string, oib: string): Promise<Company | undefined>
    /**
     * The id that a company has, or will have, in a tenant: the one that follows from its OIB, which is given, or another
     * one where that stands for the company of another tenant. Once a company is there it stays the same.
     */
    idWithin(tenantId: string, companyId: string): Promise<string>
    /** Whether this database decides on a company of this OIB in another tenant, which is not archived. */
    isOursElsewhere(tenantId: string, oib: string): Promise<boolean>
    all(): Promise<Company[]>
    /** Those that this database decides on and sells for: without those that gateways have told of. */
    ours(): Promise<Company[]>
    /** The oldest first. */
    list(filter: CompanyFilter, slice: Slice): Promise<Company[]>
    update(id: string, changes: Partial<Omit<Company, 'id' | 'tenantId' | 'oib' | 'createdAt'>>): Promise<void>
  }
  devices: {
    insert(device: Device): Promise<void>
    get(id: string): Promise<Device | undefined>
    /** By id, or by label, which several companies may use. */
    named(tenantId: string, labelOrId: string): Promise<Device[]>
    /** Of our own: those of gateways are compared as conflicts. */
    labelled(companyId: string, label: string): Promise<Device | undefined>
    withIsuNumber(isuNumber: string): Promise<Device | undefined>
    /** The oldest first. */
    list(filter: DeviceFilter, slice: Slice): Promise<Device[]>
    counts(companyId: string): Promise<DeviceCount[]>
    update(id: string, changes: Partial<Omit<Device, 'id' | 'companyId' | 'tenantId' | 'premisesCode'>>): Promise<void>
    /** It has posted something; of those that gateways have told of only the gateway says so. */
    seen(id: string, at: EpochMs): Promise<void>
    /** Of the active ones; `lastSuccessAt` is the moment of the latest JIR. */
    summary(): Promise<{ total: number; withoutIsu: number; lastSuccessAt: EpochMs | null }>
  }
  certificates: {
    insert(certificate: Certificate): Promise<void>
    get(id: string): Promise<Certificate | undefined>
    /** The gateway that has told of it; `LOCAL_GATEWAY` for our own. */
    ownerOf(id: string): Promise<string>
    /** The one that a company signs with: ours, or of a company that gateways have told of the newest of theirs. */
    shown(companyId: string): Promise<Certificate | undefined>
    /** The newest first. */
    list(filter: CertificateFilter): Promise<Certificate[]>
    /** The one in use: neither superseded nor revoked. */
    current(companyId: string): Promise<Certificate | undefined>
    /** Takes the one in use, if there is one, out of use. */
    supersedeCurrent(companyId: string, at: EpochMs): Promise<void>
    /** Its first revocation counts. */
    revoke(id: string, at: EpochMs): Promise<void>
  }
  numbering: {
    /** The level a premises numbers by in a year, undefined before its first receipt. */
    level(premises: Omit<Sequence, 'register'>): Promise<SequenceMark | undefined>
    setLevel(premises: Omit<Sequence, 'register'>, level: SequenceMark): Promise<void>
    /** Of every premises and year, without premises of gateways. */
    levels(): Promise<(Omit<Sequence, 'register'> & { level: SequenceMark })[]>
    /** The highest number in a sequence that counting followed. */
    highest(sequence: Sequence): Promise<string | undefined>
    /** The same, and whether any number of the sequence lies ahead of its counting or did so once. */
    course(sequence: Sequence): Promise<{ highest: string | undefined; hasAhead: boolean }>
    /** It only rises; `0` for a sequence that has nothing yet that counting follows. */
    setHighest(sequence: Sequence, number: string): Promise<void>
    /**
     * Has a sequence go on after a lower number. The one that it ended at must have been noted as ahead. Reserved ranges
     * beyond it end there, too.
     */
    fall(sequence: Sequence, to: string): Promise<void>
    /** Notes numbers that counting does not follow, each once. */
    noteAhead(numbers: readonly NumberAhead[]): Promise<void>
    /** Those of these numbers that were noted as ahead. */
    aheadAmong(sequence: Sequence, numbers: readonly string[]): Promise<string[]>
    /** Every number that was ever noted as ahead, without premises of gateways. */
    ahead(): Promise<NumberAhead[]>
    /** What was noted of one sequence, the latest first. */
    aheadOf(sequence: Sequence, limit: number): Promise<NumberAhead[]>
    /** How many numbers lie ahead of each sequence since a year, where there are any; without premises of gateways. */
    aheadCounts(fromYear: number): Promise<(Sequence & { highest: string; count: number })[]>
    /** The numbers of a sequence that sales here have and that were not noted as ahead, in no order. Reads all of them. */
    used(sequence: Sequence): Promise<{ number: string; invoiceId: string }[]>
    /** The sequences of a premises, whoever gives out its numbers. */
    sequencesOf(companyId: string, premisesCode: string): Promise<(Sequence & { highest: string })[]>
    /** Sequences since a year whose highest number is at least this one of 20 digits, without premises of gateways. */
    sequencesFrom(number: string, fromYear: number): Promise<(Sequence & { highest: string })[]>
    /** Every sequence with the highest number used in it, without premises of gateways. */
    sequences(): Promise<(Sequence & { highest: string })[]>
    /** Takes numbers out of use for ever; the sequence goes on after the last. */
    reserve(numbers: ReservedNumbers): Promise<void>
    reserved(): Promise<ReservedNumbers[]>
    /** Whether a number lies where reserved numbers are known to have been given out. */
    isKnownUsed(sequence: Sequence, number: string): Promise<boolean>
  }
  invoices: {
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
  figures: Figures
  lookups: InvoiceLookups
  messages: {
    insert(message: MessageRecord): Promise<void>
    /** Those about an invoice; unpacked one after the other, so that it belongs into no transaction. */
    trail(invoiceId: string): Promise<MessageTrail>
  }
  printers: {
    get(deviceId: string): Promise<DevicePrinter | undefined>
    all(): Promise<DevicePrinter[]>
    /** Makes it, or replaces what was set. */
    put(printer: DevicePrinter): Promise<void>
    remove(deviceId: string): Promise<void>
  }
  printJobs: {
    /** Throws when the invoice has this original or copy already. */
    insert(job: PrintJob): Promise<void>
    get(invoiceId: string, copy: number): Promise<PrintJob | undefined>
    /** The originals of these invoices, in no order. */
    originals(invoiceIds: readonly string[]): Promise<PrintJob[]>
    /** The number of the last copy, 0 when there is none. */
    lastCopy(invoiceId: string): Promise<number>
    /** What has not ended, the oldest first. */
    open(): Promise<PrintJob[]>
    /** The latest first. */
    ofDevice(deviceId: string, limit: number): Promise<PrintJob[]>
    /** Its first byte goes out now. @returns false when it is not queued: it must not be printed then */
    begin(invoiceId: string, copy: number, at: EpochMs): Promise<boolean>
    /** Ends what has not ended. @returns false when it had */
    end(
      invoiceId: string,
      copy: number,
      end: { status: Exclude<PrintJobStatus, 'queued' | 'sending'>; endedAt: EpochMs; detail: string | null },
    ): Promise<boolean>
  }
  idempotency: {
    insert(record: IdempotencyRecord): Promise<void>
    get(scope: string, key: string): Promise<IdempotencyRecord | undefined>
    complete(scope: string, key: string, response: { status: number; body: string }): Promise<void>
    remove(scope: string, key: string): Promise<void>
    /** @param mode of the API keys whose they are; null for those of users and of the operator */
    removeBefore(moment: EpochMs, mode: Mode | null): Promise<void>
    /** The time of keys from this moment on starts anew at another one; of a mode, and of users and the operator. */
    restart(from: EpochMs, at: EpochMs, mode: Mode): Promise<void>
  }
  moments: {
    /** As they were saved last; before that, as far as the other rows tell. */
    load(mode: Mode): Promise<ClockMarks>
    /** All of them or some, at once. */
    save(mode: Mode, moments: Partial<ClockMarks>): Promise<void>
  }
  apiKeys: {
    insert(key: ApiKey): Promise<void>
    byHash(hash: string): Promise<ApiKey | undefined>
    get(id: string): Promise<ApiKey | undefined>
    /** The oldest first. */
    list(tenantId: string): Promise<ApiKey[]>
    /** Its first revocation counts. */
    revoke(id: string, at: EpochMs): Promise<void>
  }
  tenants: {
    insert(tenant: Tenant): Promise<void>
    get(id: string): Promise<Tenant | undefined>
    list(): Promise<Tenant[]>
  }
  users: {
    insert(user: User): Promise<void>
    get(id: string): Promise<User | undefined>
    named(name: string): Promise<User | undefined>
    list(tenantId: string): Promise<User[]>
    update(id: string, changes: Partial<Omit<User, 'id' | 'tenantId' | 'name' | 'createdAt'>>): Promise<void>
    /** @returns false when this step or a later one was taken already */
    takeTotpStep(id: string, step: number): Promise<boolean>
    /** Its sessions end with it. */
    remove(id: string): Promise<void>
  }
  sessions: {
    insert(session: Session): Promise<void>
    get(hash: string): Promise<Session | undefined>
    /** Counts a code that is tried. @returns false when so many were tried already */
    countCode(hash: string, most: number): Promise<boolean>
    /** Every session of a user but this one. */
    removeOthers(userId: string, hash: string): Promise<void>
    remove(hash: string): Promise<void>
    removeExpired(now: EpochMs): Promise<void>
  }
  leases: {
    /**
     * Takes or renews a lease. @returns false when another owner's has not expired yet
     */
    take(name: string, owner: string, now: EpochMs, expiresAt: EpochMs): Promise<boolean>
    /** Gives back what the owner holds. */
    release(name: string, owner: string): Promise<void>
    /** Ends every lease: only for a start that knows of no other process on this database. */
    clear(): Promise<void>
  }
  audit: {
    insert(entry: AuditEntry): Promise<void>
    /** The newest first. */
    list(tenantId: string, slice: Slice): Promise<AuditEntry[]>
    /** When something was last done, by any tenant; null for never. Reads the whole log. */
    latest(action: string): Promise<EpochMs | null>
    /** How often something was done, by any tenant, in entries of this id or a later one. Reads what was logged since. */
    countFrom(action: string, firstId: string): Promise<number>
  }
  gateways: Gateways
  alerts: Alerts
  mails: Mails
  replicas: Replicas
  /** Of a server: what its gateways are to do. */
  gatewayCommands: {
    /** Gives it the next number of its gateway, above all that the gateway has seen. */
    add(command: NewGatewayCommand): Promise<GatewayCommand>
    get(id: string): Promise<GatewayCommand | undefined>
    /** What a gateway has not answered, in order. */
    waiting(gatewayId: string, limit: number): Promise<GatewayCommand[]>
    countWaiting(gatewayId: string): Promise<number>
    /** The gateways that have not answered something. */
    awaited(): Promise<string[]>
    /** The highest number that was given to a command of the gateway, or that it said it has seen; 0 before the first. */
    last(gatewayId: string): Promise<number>
    /** The gateway has seen this number: what it was never sent goes behind it. */
    renumber(gatewayId: string, above: number): Promise<void>
    /** The first time counts. */
    sent(ids: readonly string[], at: EpochMs): Promise<void>
    /** The first answer counts. @returns false when there was one */
    answer(
      id: string,
      answer: { status: CommandOutcome; answeredAt: EpochMs; result: JsonObject | null },
    ): Promise<boolean>
    /** Ends what is too old and was never sent: of what was sent the gateway tells. */
    expire(now: EpochMs): Promise<void>
    /** The latest first. */
    list(gatewayId: string, slice: Slice): Promise<GatewayCommand[]>
    /** The latest one of a command counts. */
    attach(commandId: string, attachment: CommandAttachment): Promise<void>
    attachment(commandId: string): Promise<CommandAttachment | undefined>
    /** Without their contents, in no order. */
    attachments(commandIds: readonly string[]): Promise<{ commandId: string; name: string; bytes: number }[]>
    /** Those of commands that were issued before a moment. */
    removeAttachmentsBefore(moment: EpochMs): Promise<void>
  }
  /** Of a gateway: what its server is to be told; SQLite only. */
  outbox: Outbox
  /** Of a gateway: its server. */
  enrolment: Enrolments
  /** Of a gateway: what its server has told it to do. */
  receivedCommands: {
    insert(command: ReceivedCommand): Promise<void>
    get(id: string): Promise<ReceivedCommand | undefined>
    /** Ends what has begun. @returns false when it had ended, which stands then */
    end(id: string, end: { status: CommandOutcome; result: JsonObject | null }): Promise<boolean>
    /** What has not ended, in order. */
    begun(): Promise<ReceivedCommand[]>
    /** What has ended and the server does not know, in order. */
    untold(limit: number): Promise<ReceivedCommand[]>
    told(id: string, at: EpochMs): Promise<void>
    /** The server has forgotten it; what has not ended is told anyway. */
    tellAgain(id: string): Promise<void>
    /** Of what was told: what was received before a moment, and refusals beyond so many of the latest. */
    forget(before: EpochMs, refusalsToKeep: number): Promise<void>
    /** The latest first. */
    list(limit: number): Promise<ReceivedCommand[]>
  }
}

/** What is remembered of the time, for a machine that forgets it with the power. Zero is never. */
export interface ClockMarks {
  /** The newest moment that the clock showed while nothing spoke against it. */
  newestAt: EpochMs
  /** The proven time. */
  provenAt: EpochMs
  /** The proven time when it was last known to be the true one, not only a moment that is past. */
  exactAt: EpochMs
}

/** Whose companies, devices, keys and users they are. Tenants know nothing of each other. */
export interface Tenant {
  id: string
  name: string
  createdAt: EpochMs
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

/** Single reads and writes outside a transaction are each their own; `transaction` is all or nothing. */
export interface Store extends StoreTransaction {
  /**
   * Runs the work in one durable transaction: when it resolves, everything is on disk; when the work throws, nothing is
   * stored. Transactions do not overlap. Use only the store handed to the work inside of it. The work may be done several
   * times before it succeeds: what is stored by somebody else at the same time may undo it.
   */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  /**
   * Runs the work in a durable transaction that keeps only those of the same source waiting, for rows that this source
   * alone tells of: it must not rest on what it has read of others, and may be done several times before it succeeds.
   * @param source such as the id of a gateway
   */
  ingest<T>(source: string, work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  /** One at a time per key, over all processes that use this database. Locks of one name are the same. */
  locks(name: string): KeyedLock
  /** Whether other processes may use this database, too. */
  isShared: boolean
  /** Milliseconds a trivial query takes; throws when the database does not answer or takes no writes. */
  ping(): Promise<number>
}

/** A rule of the database forbids what was to be written. */
export class BrokenRule extends Error {
  /** Its name; nothing of what was to be written. */
  readonly rule: string
  constructor(rule: string, cause: unknown) {
    super(`a rule of the database is broken: ${rule}`, { cause })
    this.name = 'BrokenRule'
    this.rule = rule
  }
}

/** A unique key is taken. */
export class Duplicate extends Error {
  constructor(cause?: unknown) {
    super('a unique key is taken', { cause })
    this.name = 'Duplicate'
  }
}
