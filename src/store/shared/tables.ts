import type { Generated } from 'kysely'
import type { PaperRoll } from '../../domain/printing/paper-roll.ts'
import type { SequenceMark } from '../../domain/sale/receipt-number.ts'
import type { Alert } from '../../fiscal/ports/alerts.ts'
import type { Enrolment, Refusal, SetAside } from '../../fiscal/ports/enrolment.ts'
import type { GatewayCommand, ReceivedCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { GatewayRecord } from '../../fiscal/ports/gateways.ts'
import type { Job, JobRow } from '../../fiscal/ports/jobs.ts'
import type { MailFile, OfficeMail } from '../../fiscal/ports/mail.ts'
import type {
  ApiKey,
  AuditEntry,
  Certificate,
  Company,
  Device,
  DevicePrinter,
  IdempotencyRecord,
  Invoice,
  Journal,
  Mail,
  MessageRecord,
  NumberAhead,
  PasswordLink,
  PrintJob,
  ReservedNumbers,
  Sequence,
  Session,
  User,
} from '../../fiscal/ports/model.ts'
import type { SyncKind } from '../../fiscal/ports/outbox.ts'
import type { Withdrawal } from '../../fiscal/ports/receipt-links.ts'
import type { Tenant } from '../../fiscal/ports/rows/access.ts'
import type { AskedRequest } from '../../fiscal/ports/rows/authority-requests.ts'
import type { Closing, ClosingSchedule } from '../../fiscal/ports/rows/closings.ts'
import type { DeviceNote, DeviceTag, SavedView } from '../../fiscal/ports/rows/tags-notes-views.ts'

/** Key in `meta`: the version of the fiskd that used the database last. */
export const PROGRAM = 'program'

/** Key in `meta` of a SQLite database: the server that its sales were moved to. Nothing is sold on it any more. */
export const MOVED_TO = 'moved_to'

/** Key in `meta` of a copy that `fisk backup` made: it lacks what was sold since. Only a restore removes it. */
export const BACKUP = 'backup'

/** What stands there: when the copy was made. */
export const backupMark = (at: number) => Buffer.from(`made by fisk backup at ${at}`)
/** @returns undefined where the mark does not say it */
export const backupMadeAt = (mark: Buffer | undefined): number | undefined =>
  Number(/ at (\d+)$/.exec(mark?.toString() ?? '')?.[1]) || undefined

/** Key in `meta`: the name of this database in the record of issued sales. */
export const DATABASE = 'database'

/** Key in `meta` of both databases of a move: its id. A server database with this key must not be used for sales. */
export const MOVE = 'move'

/** Key in `meta` of a PostgreSQL database: says where its rows were first stored. */
export const STORED_HERE = 'stored_here'

/** Key in `meta` of a PostgreSQL database: the era in which each process has compared what it has issued with it. */
export const ERA = 'era'

/** 0 or 1 in the database. */
type Flag = number
/** JSON text in the database. */
type Json = string
/** The row type of a model: the named columns differ from the model, the others are the same. */
type Stored<Model, Columns> = Omit<Model, keyof Columns> & Columns

/** Column of rows that a gateway may have sent: the position in the gateway's outbox; 0 for our own rows. */
interface Versioned {
  syncVersion: Generated<number>
}
/** Columns for models without a field for their gateway. */
interface Owned extends Versioned {
  gatewayId: Generated<string>
}

/** The rows of the tables, in camel case; `schema/` has the columns. */
export interface Tables {
  meta: { key: string; value: Buffer }
  tenants: Tenant
  branding: { tenantId: string; name: string | null }
  logos: { hash: string; file: Buffer }
  companies: Stored<Company, { vatRegistered: Flag; address: Json; fiscalConfig: Json }> & Versioned
  devices: Stored<Device, { deviceConfig: Json }> & Versioned
  certificates: Stored<Certificate, { intermediates: Json }> & Owned
  numberingLevels: Omit<Sequence, 'register'> & { level: SequenceMark }
  /** `0` before the first number that counting followed. */
  sequences: Sequence & { highest: string }
  reservedNumbers: ReservedNumbers
  numbersAhead: NumberAhead
  leases: { name: string; owner: string; expiresAt: number }
  /** Searchable fields have their own columns beside the document that contains them. */
  invoices: Stored<Invoice, { document: Json; receipt: Json | null; lateDelivery: Flag; numberSupplied: Flag }> & {
    zki: string
    premisesCode: string
    sequenceRegister: string
    number: string
  } & Versioned
  messages: Stored<MessageRecord, { requestXml: Buffer | null; responseXml: Buffer | null }>
  printers: Stored<DevicePrinter, { overrides: Json }>
  paperRolls: Stored<PaperRoll, { isWhole: Flag }> & { line: string }
  printJobs: PrintJob & Owned
  idempotencyKeys: Omit<IdempotencyRecord, 'response'> & {
    createdAt: number
    responseStatus: number | null
    responseBody: string | null
  }
  apiKeys: Stored<ApiKey, { scopes: Json }>
  users: Stored<User, { companyIds: Json | null; mailCompanyIds: Json | null; isPlatformAdmin: Flag; wantsMail: Flag }>
  sessions: Stored<Session, { complete: Flag }>
  passwordLinks: PasswordLink
  recoveryCodes: { userId: string; hash: string }
  mails: Mail
  officeMails: OfficeMail
  /** The files of a mail, by their position in it; gone once it was sent or given up. */
  officeMailFiles: MailFile & { mailId: string; position: number }
  notices: { alertId: string; recipient: string; mailId: string }
  auditLog: Stored<AuditEntry, { detail: Json }>
  alerts: Stored<Alert, { detail: Json }> & Versioned
  outbox: { position: Generated<number>; kind: SyncKind; id: string }
  /** Of a gateway whose rows from before its enrolment are not all in the outbox; SQLite's alone. */
  outboxGap: { only: number; position: number; kind: SyncKind; after: string }
  syncEnrolment: Stored<Enrolment, { numbers: Json }> & { only: number }
  syncRefusals: SetAside
  receivedCommands: Stored<ReceivedCommand, { result: Json | null }>
  gateways: Stored<GatewayRecord, { heartbeat: Json | null; companies: Json | null }>
  premisesClaims: { companyId: string; premisesCode: string; gatewayId: string; claimedAt: number }
  refusedRecords: Refusal & { gatewayId: string }
  jobs: Stored<Job, { parameters: Json }>
  jobRows: Stored<JobRow, { refusal: Json | null }>
  gatewayCommands: Stored<GatewayCommand, { body: Json; result: Json | null }>
  closings: Closing
  authorityRequests: Stored<AskedRequest, { asked: Json }> & Versioned
  deviceTags: DeviceTag & { tenantId: string }
  deviceNotes: DeviceNote & { tenantId: string; deviceId: string }
  savedViews: SavedView
  closingSchedules: ClosingSchedule
  receiptWithdrawals: Withdrawal
  /** The day is Zagreb's. */
  receiptViews: { day: string; companyId: string; views: number }
  /** The last three are PostgreSQL's alone. */
  processes: {
    id: Generated<number>
    instance: string
    host: string
    pid: number
    version: string
    startedAt: number
    beats: Generated<number>
  }
  claims: { name: string; key: string; process: number }
  journals: Journal & { position: number; seal: string }
  commandAttachments: { commandId: string; name: string; content: Buffer }
}
