import type { KeyedLock } from '../../domain/keyed-lock.ts'
import type { Alerts } from './alerts.ts'
import type { Enrolments } from './enrolment.ts'
import type { GatewayCommandRows, ReceivedCommandRows } from './gateway-commands.ts'
import type { Gateways } from './gateways.ts'
import type { InvoiceLookups } from './invoice-lookups.ts'
import type { Mails } from './mail.ts'
import type { Outbox } from './outbox.ts'
import type { Replicas } from './replicas.ts'
import type { ApiKeyRows, AuditRows, SessionRows, TenantRows, UserRows } from './rows/access.ts'
import type { NumberingRows } from './rows/numbering.ts'
import type { PrinterRows, PrintJobRows } from './rows/printing.ts'
import type { ClockMarkRows, LeaseRows } from './rows/processes.ts'
import type { CertificateRows, CompanyRows, DeviceRows } from './rows/registry.ts'
import type { Figures, IdempotencyRows, InvoiceRows, MessageRows } from './rows/sales.ts'

/**
 * What is stored, by aggregate. Reads return `undefined` for what is not there. Inserts and updates throw `Duplicate`
 * when a unique key is taken, and nothing is stored then.
 */
export interface StoreTransaction {
  companies: CompanyRows
  devices: DeviceRows
  certificates: CertificateRows
  numbering: NumberingRows
  invoices: InvoiceRows
  figures: Figures
  lookups: InvoiceLookups
  messages: MessageRows
  printers: PrinterRows
  printJobs: PrintJobRows
  idempotency: IdempotencyRows
  moments: ClockMarkRows
  apiKeys: ApiKeyRows
  tenants: TenantRows
  users: UserRows
  sessions: SessionRows
  leases: LeaseRows
  audit: AuditRows
  gateways: Gateways
  alerts: Alerts
  mails: Mails
  replicas: Replicas
  /** Of a server: what its gateways are to do. */
  gatewayCommands: GatewayCommandRows
  /** Of a gateway: what its server is to be told; SQLite only. */
  outbox: Outbox
  /** Of a gateway: its server. */
  enrolment: Enrolments
  /** Of a gateway: what its server has told it to do. */
  receivedCommands: ReceivedCommandRows
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
