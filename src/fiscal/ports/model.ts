import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import type { PrinterProfile, PrinterReason, PrinterSettings, PrintJobStatus } from '../../domain/printer.ts'
import type { ErrorClass, FiscalErrorCode, InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { JournalEntry } from '../../domain/sale/journal.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ActiveStatus, IsuStatus } from '../../domain/statuses.ts'

export type { JsonObject } from '../../domain/json-object.ts'
export { ACTIVE_STATUSES, type ActiveStatus, ISU_STATUSES, type IsuStatus } from '../../domain/statuses.ts'

/** The `gatewayId` of own rows, which no gateway has sent. */
export const LOCAL_GATEWAY = ''

/** The issuer (docs/spec/interface.md, Company). */
export interface Company {
  id: string
  /** The gateway that sent the row; `LOCAL_GATEWAY` for rows of this database. */
  gatewayId: string
  tenantId: string
  name: string
  oib: string
  vatRegistered: boolean
  address: JsonObject
  fiscalConfig: JsonObject
  mode: Mode
  status: ActiveStatus
  createdAt: EpochMs
  /** The logo on its receipts, by the SHA-256 of the stored picture; null for none. */
  logoHash: string | null
}

/** One self-service machine (docs/spec/interface.md, Device). */
export interface Device {
  id: string
  /** As `Company.gatewayId`. */
  gatewayId: string
  tenantId: string
  companyId: string
  premisesCode: string
  premisesAddress: string | null
  label: string
  isuNumber: string | null
  isuStatus: IsuStatus
  deviceConfig: JsonObject
  status: ActiveStatus
  installedAt: EpochMs
  lastSeenAt: EpochMs | null
  lastSuccessAt: EpochMs | null
  createdAt: EpochMs
}

/** A company's certificate. The private key is only stored sealed by the vault. */
export interface Certificate {
  id: string
  companyId: string
  label: string | null
  subjectOib: string
  subjectCn: string
  /** RFC 4514 text, e.g. `CN=Fina Demo CA 2020,O=Financijska agencija,C=HR`. */
  issuer: string
  /** Uppercase hex. */
  serial: string
  notBefore: EpochMs
  notAfter: EpochMs
  /** DER. */
  certificate: Buffer
  /** The other certificates of its chain that were uploaded with it, DER. */
  intermediates: readonly Buffer[]
  sealedKey: Buffer
  uploadedAt: EpochMs
  supersededAt: EpochMs | null
  revokedAt: EpochMs | null
}

/** An invoice: the data that is fixed when it is stored, and the state of its confirmation. */
export interface Invoice extends JournalEntry {
  /** The gateway that issued it and sends it to the tax authority; `LOCAL_GATEWAY` when issued here. */
  gatewayId: string
  status: InvoiceStatus
  jir: string | null
  /** The hash that chains the entry into its journal (see domain/journal). */
  seal: string
  /** Whether a message about it was marked NakDost. */
  lateDelivery: boolean
  /** How many messages about it have been sent. */
  attempts: number
  confirmedAt: EpochMs | null
  lastErrorClass: ErrorClass | null
  errorCode: FiscalErrorCode | null
  errorMessage: string | null
  /** What the tax authority finds in the message that got the JIR, as `keptFindings` writes it; null for nothing. */
  deliveryFindings: string | null
}

/** The receipt printer of a device: its address, and how it differs from its profile. */
export interface DevicePrinter {
  deviceId: string
  /** As `formatLineAddress` writes it. */
  line: string
  profile: PrinterProfile
  overrides: Partial<PrinterSettings>
  /** A receipt whose printing could not start within this many seconds is not printed any more. */
  expireAfterS: number
}

/** One receipt to print (docs/spec/printing.md, The job). */
export interface PrintJob {
  invoiceId: string
  /** 0 is the original, at most one per invoice; copies count from 1. */
  copy: number
  deviceId: string
  status: PrintJobStatus
  createdAt: EpochMs
  /** Printing does not start after this moment. */
  expiresAt: EpochMs
  /** Set right before the first byte is sent to the printer. */
  begunAt: EpochMs | null
  endedAt: EpochMs | null
  /** For people: why it ended as it did. */
  detail: string | null
  /** Why it did not come out, for programs; null when it came out, or nothing is known. */
  reason: PrinterReason | null
}

/** One message about an invoice and its answer, kept verbatim (docs/spec/interface.md, Invoice). */
export interface MessageRecord {
  id: string
  invoiceId: string
  messageUuid: string
  attemptNo: number
  httpStatus: number | null
  errorCode: string | null
  errorMessage: string | null
  durationMs: number
  createdAt: EpochMs
  /** Null when it was not kept because there was no room. */
  requestXml: string | null
  responseXml: string | null
}

/** The fields of an invoice that a retry, a resend or an answer changes. */
export type InvoiceProgress = Pick<
  Invoice,
  | ('status' | 'jir' | 'confirmedAt' | 'lateDelivery' | 'attempts')
  | ('lastErrorClass' | 'errorCode' | 'errorMessage' | 'deliveryFindings')
>

/** The sequence of a number: a premises and year, and under `N` a register (docs/spec/interface.md, Receipt number). */
export interface Sequence {
  companyId: string
  mode: Mode
  premisesCode: string
  year: number
  /** The register's mark under `N`, the empty text under `P`. */
  register: string
}

/** Only the sequence of a row, without its other fields. */
export function sequenceOf({ companyId, mode, premisesCode, year, register }: Sequence): Sequence {
  return { companyId, mode, premisesCode, year, register }
}

export function sequenceKey({ companyId, mode, premisesCode, year, register }: Sequence): string {
  return JSON.stringify([companyId, mode, premisesCode, year, register])
}

export const isSameSequence = (one: Sequence, other: Sequence) => sequenceKey(one) === sequenceKey(other)

/** The journal of a premises: what it issued in one mode, in order. */
export type Journal = Omit<Sequence, 'register' | 'year'>

export function journalKey({ companyId, mode, premisesCode }: Journal): string {
  return JSON.stringify([companyId, mode, premisesCode])
}

/** Numbers that are never given out: after a restore it is unknown whether they were used. */
export interface ReservedNumbers extends Sequence {
  first: string
  last: string
  /** The numbers up to it are known to be used; null when none is. Of the rest it is unknown. */
  usedTo: string | null
  reservedAt: EpochMs
}

/** A used number that is too far ahead for the counting to follow; the counting skips it. */
export interface NumberAhead extends Sequence {
  number: string
  /** The sale with it; null when that is in no database any more, or the number only ended a range. */
  invoiceId: string | null
  notedAt: EpochMs
}

/** An API key. Only the hash of the key is stored. */
export interface ApiKey {
  id: string
  tenantId: string
  mode: Mode
  /** SHA-256 of the whole key, lowercase hex. */
  hash: string
  name: string | null
  scopes: readonly string[]
  deviceId: string | null
  createdAt: EpochMs
  revokedAt: EpochMs | null
}

export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const LANGUAGES = ['hr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export interface User {
  id: string
  tenantId: string
  /** In lower case; unique over all tenants. */
  name: string
  /** The scrypt hash with its parameters; `NO_PASSWORD` for an invited user. */
  passwordHash: string
  role: Role
  /** The only companies whose rows the user may see and change; null for all. */
  companyIds: readonly string[] | null
  /** May see companies and devices of all tenants. A tenant cannot grant this. */
  isPlatformAdmin: boolean
  createdAt: EpochMs
  /** The address for alerts. */
  email: string | null
  language: Language
  wantsMail: boolean
  /** Whose alerts the user is mailed; null for all that the user may see. */
  mailCompanyIds: readonly string[] | null
  /** The TOTP secret, sealed by the vault; null without a second factor. */
  sealedTotp: Buffer | null
  /** The time step of the last accepted code: each code is accepted once. */
  totpStep: number
}

/** A current sign-in. Only the hash of its token is stored. */
export interface Session {
  /** SHA-256 of the token, lowercase hex. */
  hash: string
  userId: string
  createdAt: EpochMs
  expiresAt: EpochMs
  complete: boolean
  wrongCodes: number
}

/** Lets a user set a password once without being signed in. Only the hash of its token is stored. */
export interface PasswordLink {
  /** SHA-256 of the token, lowercase hex. */
  hash: string
  /** Each user has one link at most. */
  userId: string
  createdAt: EpochMs
  expiresAt: EpochMs
}

/** An outgoing mail. `sending` is stored before the server is contacted: after a crash it may have been sent. */
export interface Mail {
  /** Also the left part of its Message-ID. */
  id: string
  tenantId: string
  recipient: string
  language: Language
  subject: string
  text: string
  html: string
  createdAt: EpochMs
  status: 'waiting' | 'sending' | 'sent' | 'given_up'
  attempts: number
  nextTryAt: EpochMs
  sentAt: EpochMs | null
  lastError: string | null
}

/** An action of a user, an API key or the operator. Entries are only ever added. */
export interface AuditEntry {
  id: string
  at: EpochMs
  /** The id of an API key or a user, or `operator`. */
  actor: string
  tenantId: string
  action: string
  /** The objects of the action: ids, names, counts. */
  detail: JsonObject
}

export const KEY_LIFETIME_MS = 24 * 3_600_000

/** One use of an idempotency key. Without a response, the request is running or a crash has interrupted it. */
export interface IdempotencyRecord {
  /** The owner of the key: the id of the API key, which has one mode, or of the user. */
  scope: string
  key: string
  /** SHA-256 of method, path and body, lowercase hex. */
  requestHash: string
  invoiceId: string | null
  response: { status: number; body: string } | null
}
