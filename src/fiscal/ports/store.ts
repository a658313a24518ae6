import { createKeyedLock, freeOf, type KeyedLock } from '../../domain/keyed-lock.ts'
import type { Alerts } from './alerts.ts'
import type { Enrolments } from './enrolment.ts'
import type { GatewayCommandRows, ReceivedCommandRows } from './gateway-commands.ts'
import type { Gateways } from './gateways.ts'
import type { InvoiceLookups } from './invoice-lookups.ts'
import type { JobRows } from './jobs.ts'
import type { Mails, OfficeMails } from './mail.ts'
import type { Outbox } from './outbox.ts'
import type { PaperRollRows, PrinterRows, PrintJobRows } from './printing.ts'
import type { ReceiptLinkRows } from './receipt-links.ts'
import type { Replicas } from './replicas.ts'
import type {
  ApiKeyRows,
  AuditRows,
  BrandingRows,
  PasswordLinkRows,
  RecoveryCodeRows,
  SessionRows,
  TenantRows,
  UserRows,
} from './rows/access.ts'
import type { AuthorityRequestRows } from './rows/authority-requests.ts'
import type { ClosingRows, ClosingScheduleRows } from './rows/closings.ts'
import type { InvoiceRanges } from './rows/invoice-ranges.ts'
import type { IssuedRows } from './rows/issued.ts'
import type { MachineRows } from './rows/machines.ts'
import type { NumberingRows } from './rows/numbering.ts'
import type { ClockMarkRows, ConnectionBreakRows, LeaseRows, ProcessRows } from './rows/processes.ts'
import type { CertificateRows, CompanyRows, DeviceRows, LogoRows } from './rows/registry.ts'
import type { Figures, IdempotencyRows, InvoiceRows, MessageRows, SaleRows } from './rows/sales.ts'
import type { Subjects } from './rows/subjects.ts'
import type { DeviceNoteRows, DeviceTagRows, SavedViewRows } from './rows/tags-notes-views.ts'
import type { TurnoverRows } from './rows/turnover.ts'

/** Reads return `undefined` for a missing row. Writes throw `Duplicate` for a taken unique key, and store nothing. */
export interface StoreTransaction {
  companies: CompanyRows
  devices: DeviceRows
  certificates: CertificateRows
  numbering: NumberingRows
  invoices: InvoiceRows
  sales: SaleRows
  issued: IssuedRows
  figures: Figures
  turnover: TurnoverRows
  machines: MachineRows
  lookups: InvoiceLookups
  invoiceRanges: InvoiceRanges
  messages: MessageRows
  printers: PrinterRows
  paperRolls: PaperRollRows
  printJobs: PrintJobRows
  idempotency: IdempotencyRows
  moments: ClockMarkRows
  breaks: ConnectionBreakRows
  apiKeys: ApiKeyRows
  tenants: TenantRows
  branding: BrandingRows
  logos: LogoRows
  users: UserRows
  sessions: SessionRows
  passwordLinks: PasswordLinkRows
  recoveryCodes: RecoveryCodeRows
  leases: LeaseRows
  processes: ProcessRows
  subjects: Subjects
  audit: AuditRows
  gateways: Gateways
  alerts: Alerts
  mails: Mails
  officeMails: OfficeMails
  jobs: JobRows
  replicas: Replicas
  closings: ClosingRows
  authorityRequests: AuthorityRequestRows
  deviceTags: DeviceTagRows
  deviceNotes: DeviceNoteRows
  savedViews: SavedViewRows
  closingSchedules: ClosingScheduleRows
  receiptLinks: ReceiptLinkRows
  /** On a server: commands for its gateways. */
  gatewayCommands: GatewayCommandRows
  /** On a gateway: changes to send to its server; SQLite only. */
  outbox: Outbox
  /** On a gateway: its server. */
  enrolment: Enrolments
  /** On a gateway: commands from its server. */
  receivedCommands: ReceivedCommandRows
}

/** Every single read or write outside `transaction` is its own transaction. */
export interface Store extends StoreTransaction {
  /**
   * Runs the work in one durable transaction: when it resolves, everything is on disk; when the work throws, nothing is
   * stored. On SQLite transactions do not overlap; on PostgreSQL they do, and each sees what is committed when a
   * statement begins: what must not change meanwhile is locked, or held as a subject. Inside, use only the store passed
   * to the work. The work may run several times, because a concurrent write may conflict with it.
   * @param queue transactions of the same queue wait for each other here, before they take what others need, too
   */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>, queue?: string): Promise<T>
  /**
   * Runs the work in a durable transaction that only blocks calls with the same source, such as the id of a gateway.
   * Use it for rows that only this source sends: the work must not depend on rows of others, and may run several times.
   */
  ingest<T>(source: string, work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  invoiceLock: InvoiceLock
  /** Who prints a receipt, over all processes that use the database. */
  receiptLock: KeyedLock
  ownProcess: OwnProcess
  /** Whether other processes may use this database. */
  isShared: boolean
  reach: DatabaseReach
  /** The duration of a trivial query in milliseconds. @throws when the database does not answer or accepts no writes */
  ping(): Promise<number>
}

/** A constraint of the database forbids the write. */
export class BrokenRule extends Error {
  /** The name of the constraint, without any of the data. */
  readonly rule: string
  constructor(rule: string, cause: unknown) {
    super(`a rule of the database is broken: ${rule}`, { cause })
    this.name = 'BrokenRule'
    this.rule = rule
  }
}

export class Duplicate extends Error {
  constructor(cause?: unknown) {
    super('a unique key is taken', { cause })
    this.name = 'Duplicate'
  }
}

/** The idempotency key of a sale is in use: an earlier request with it was stored meanwhile. */
export class KeyTaken extends Error {
  constructor() {
    super('the idempotency key is in use')
    this.name = 'KeyTaken'
  }
}

/** Another process has taken over what this one held: nothing was stored. */
export class ClaimLost extends Error {
  constructor(cause?: unknown) {
    super('another process has taken this over', { cause })
    this.name = 'ClaimLost'
  }
}

/**
 * Whether the database can be used now. While it is away every call of the store throws `DatabaseAway` within four
 * seconds of the first sign, also those that were waiting for an answer when it went away. A database that cannot be
 * reached is away within seconds of the first sign, and back when it accepts writes again (a standby that is not
 * promoted yet is away, and so is a server whose disk is full).
 */
export interface DatabaseReach {
  /** What is wrong; undefined while the database is not away. */
  away(): DatabaseAway | undefined
  /** Resolves when the database is back, at once when it is not away. @returns whether it was away */
  back(): Promise<boolean>
  /** Calls the listener each time the database goes away, not for an outage that began before. @returns stops that */
  onAway(listener: (away: DatabaseAway) => void): () => void
  /** Calls the listener each time the database is back, after `away` says so. @returns stops that */
  onBack(listener: () => void): () => void
}

/** A file on this machine is never away. */
export const NEVER_AWAY: DatabaseReach = {
  away: () => undefined,
  back: async () => false,
  onAway: () => () => {},
  onBack: () => () => {},
}

/** The database cannot be reached, or does not work. Whether a write that was under way is stored is unknown. */
export class DatabaseAway extends Error {
  /** What the database does, to stand after its name; nothing in it is secret. */
  readonly problem: string

  constructor(cause?: unknown, problem = 'cannot be reached') {
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    super(`the database ${problem}${reason}`, { cause })
    this.name = 'DatabaseAway'
    this.problem = problem
  }
}

/** The database has refused the work, or was not asked in time: nothing of it is stored. */
export class NotStored extends DatabaseAway {}

/**
 * This process among all that use the database. What a process holds is taken over once it has given no sign of life
 * for eight seconds; from then on nothing that it still does for what it held is stored.
 */
export interface OwnProcess {
  /** Calls the listener after a process that is gone was removed: what it held waits for another process. @returns stops that */
  onRemoval(listener: () => void): () => void
}

/** The only process on a file. */
export const ALONE: OwnProcess = { onRemoval: () => () => {} }

/** Who sends an invoice, over all processes: none is sent twice at a time. A process that is gone holds nothing. */
export interface InvoiceLock extends KeyedLock {
  /**
   * Runs work that stores a new invoice and sends it. `SaleRows.insert` locks it in the statement that stores it, and
   * the outcome unlocks it: no statement is needed for either.
   */
  runNew<T>(invoiceId: string, work: () => Promise<T>): Promise<T>
  /**
   * Locks the first of these invoices that have no final outcome and that nobody holds, over all processes. Each of them
   * has to be given to `run`, which unlocks it.
   * @returns their ids, in the order given; fewer than `most` when no others are left
   */
  claim(invoiceIds: readonly string[], most: number): Promise<string[]>
  /**
   * Makes sure that this process still holds the invoice, before something is sent.
   * @throws ClaimLost when another process has taken it over; DatabaseAway when that is not known
   */
  requireHeld(invoiceId: string): Promise<void>
}

/** The lock of a database that only one process uses. */
export function localInvoiceLock(): InvoiceLock {
  const lock = createKeyedLock()
  return {
    ...lock,
    runNew: lock.run,
    claim: async (invoiceIds, most) => (await freeOf(lock, invoiceIds)).slice(0, most),
    requireHeld: async () => {},
  }
}
