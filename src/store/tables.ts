import type { SequenceMark } from '../domain/receipt-number.ts'
import type {
  ApiKey,
  AuditEntry,
  Certificate,
  Company,
  Device,
  DevicePrinter,
  IdempotencyRecord,
  Invoice,
  MessageRecord,
  PrintJob,
  ReservedNumbers,
  Sequence,
  Session,
  User,
} from '../fiscal/model.ts'
import type { Tenant } from '../fiscal/store-port.ts'

/** Key in `meta`: the version of the fiskd that used the database last. */
export const PROGRAM = 'program'

/** 0 or 1 in the database. */
type Flag = number
/** JSON text in the database. */
type Json = string
/** A model as its table holds it: the columns named differ, the others are the model's own. */
type Stored<Model, Columns> = Omit<Model, keyof Columns> & Columns

/** The rows of the tables, in camel case; `migrations/` has the columns. */
export interface Tables {
  meta: { key: string; value: Buffer }
  tenants: Tenant
  companies: Stored<Company, { vatRegistered: Flag; address: Json; fiscalConfig: Json }>
  devices: Stored<Device, { deviceConfig: Json }>
  certificates: Stored<Certificate, { intermediates: Json }>
  numberingLevels: Omit<Sequence, 'register'> & { level: SequenceMark }
  sequences: Sequence & { highest: string }
  reservedNumbers: ReservedNumbers
  leases: { name: string; owner: string; expiresAt: number }
  /** What is searched for stands in columns of its own beside the document it comes from. */
  invoices: Stored<Invoice, { document: Json; receipt: Json | null; lateDelivery: Flag; numberSupplied: Flag }> & {
    zki: string
    premisesCode: string
    sequenceRegister: string
    number: string
  }
  /** XML is gzip. */
  messages: Stored<MessageRecord, { requestXml: Buffer | null; responseXml: Buffer | null }>
  printers: Stored<DevicePrinter, { overrides: Json }>
  printJobs: PrintJob
  idempotencyKeys: Omit<IdempotencyRecord, 'response'> & { responseStatus: number | null; responseBody: string | null }
  apiKeys: Stored<ApiKey, { scopes: Json }>
  users: Stored<User, { isPlatformAdmin: Flag }>
  sessions: Session
  auditLog: Stored<AuditEntry, { detail: Json }>
}
