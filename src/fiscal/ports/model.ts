import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import type { PrinterProfile, PrinterSettings, PrintJobStatus } from '../../domain/printer.ts'
import type { ErrorClass, FiscalErrorCode, InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { JournalEntry } from '../../domain/sale/journal.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ActiveStatus, IsuStatus } from '../../domain/statuses.ts'

export type { JsonObject } from '../../domain/json-object.ts'
export { ACTIVE_STATUSES, type ActiveStatus, ISU_STATUSES, type IsuStatus } from '../../domain/statuses.ts'

/** Whose rows are our own: no gateway has told of them. */
export const LOCAL_GATEWAY = ''

/** The issuer (interface.md, Company). */
export interface Company {
  id: string
  /** The gateway that told of it; `LOCAL_GATEWAY` for what this database decides on. */
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
}

/** One self-service machine (interface.md, Device). */
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

/** A company's certificate. The private key is here only as the vault sealed it. */
export interface Certificate {
  id: string
  companyId: string
  label: string | null
  subjectOib: string
  subjectCn: string
  issuer: string
  serial: string
  notBefore: EpochMs
  notAfter: EpochMs
  /** DER. */
  certificate: Buffer
  /** The certificates that came along with it and lead to its root, DER. */
  intermediates: readonly Buffer[]
  sealedKey: Buffer
  uploadedAt: EpochMs
  supersededAt: EpochMs | null
  revokedAt: EpochMs | null
}

/** The fiscal fact: what was issued, which is fixed when it is stored, and what has become of it. */
export interface Invoice extends JournalEntry {
  /** The gateway that has issued it and sends it; `LOCAL_GATEWAY` for what was issued here. */
  gatewayId: string
  status: InvoiceStatus
  jir: string | null
  /** Holds the entry in its place of the journal (see domain/journal). */
  seal: string
  /** Whether a message about it has said NakDost. */
  lateDelivery: boolean
  /** How many messages about it have been sent. */
  attempts: number
  confirmedAt: EpochMs | null
  lastErrorClass: ErrorClass | null
  errorCode: FiscalErrorCode | null
  errorMessage: string | null
}

/** The receipt printer of a device: where it is and what differs from its profile. */
export interface DevicePrinter {
  deviceId: string
  /** As `formatLineAddress` writes it. */
  line: string
  profile: PrinterProfile
  overrides: Partial<PrinterSettings>
  /** A receipt that nobody could begin to print within this many seconds is not printed any more. */
  expireAfterS: number
}

/** One receipt on its way to paper (spec/printing.md, The job). */
export interface PrintJob {
  invoiceId: string
  /** 0 is the original, of which there is one at most; copies count from 1. */
  copy: number
  deviceId: string
  status: PrintJobStatus
  createdAt: EpochMs
  /** From then on it is not begun any more. */
  expiresAt: EpochMs
  /** Right before its first byte went to the printer. */
  begunAt: EpochMs | null
  endedAt: EpochMs | null
  /** For people: why it ended as it did. */
  detail: string | null
}

/** One message about an invoice and its answer, kept verbatim (interface.md, Message record). */
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
  /** Null when it was not kept, for want of room. */
  requestXml: string | null
  responseXml: string | null
}

/** What a retry, a resend or an answer changes about an invoice. */
export type InvoiceProgress = Pick<
  Invoice,
  'status' | 'jir' | 'confirmedAt' | 'lateDelivery' | 'attempts' | 'lastErrorClass' | 'errorCode' | 'errorMessage'
>

/** Which sequence a number belongs to: a premises and year, and under `N` a register (interface.md, Receipt number). */
export interface Sequence {
  companyId: string
  mode: Mode
  premisesCode: string
  year: number
  /** The register's mark under `N`, the empty text under `P`. */
  register: string
}

/** The sequence that a row is of, without what else it says. */
export function sequenceOf({ companyId, mode, premisesCode, year, register }: Sequence): Sequence {
  return { companyId, mode, premisesCode, year, register }
}

/** Tells sequences apart, such as in a map. */
export function sequenceKey({ companyId, mode, premisesCode, year, register }: Sequence): string {
  return JSON.stringify([companyId, mode, premisesCode, year, register])
}

/** The journal of a premises: what it issued in one mode, in order. */
export type Journal = Omit<Sequence, 'register' | 'year'>

/** Numbers of a sequence that are never given out, because a restored backup cannot tell whether they were. */
export interface ReservedNumbers extends Sequence {
  first: string
  last: string
  /** Up to here they are known to have been given out, beyond it nobody knows; null when that holds for none. */
  usedTo: string | null
  reservedAt: EpochMs
}

/** A number that is used, and that counting did not follow because it lies too far ahead: counting passes over it. */
export interface NumberAhead extends Sequence {
  number: string
  /** The sale that has it; null when a database has it that is not here any more, or when it only ended a range. */
  invoiceId: string | null
  notedAt: EpochMs
}

/** An API key; the key itself is known only by its hash. */
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

/** Somebody who signs in to the dashboard. */
export interface User {
  id: string
  tenantId: string
  /** In lower case; unique over all tenants. */
  name: string
  /** What scrypt made of it, with its parameters. */
  passwordHash: string
  role: Role
  /** May look at companies and devices of all tenants. No tenant can grant it. */
  isPlatformAdmin: boolean
  createdAt: EpochMs
  /** Where alerts are sent. */
  email: string | null
  /** Of the pages and the mails. */
  language: Language
  wantsMail: boolean
  /** The secret of the second factor, as the vault sealed it; null without one. */
  sealedTotp: Buffer | null
  /** The time step of the last code that was taken: each is good once. */
  totpStep: number
}

/** A sign-in that has not ended; its token is known only by its hash. */
export interface Session {
  /** SHA-256 of the token, lowercase hex. */
  hash: string
  userId: string
  createdAt: EpochMs
  expiresAt: EpochMs
  /** False while the code of the second factor is still to be shown. */
  complete: boolean
  wrongCodes: number
}

export const MAIL_STATUSES = ['waiting', 'sending', 'sent', 'given_up'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

/** A mail on its way. `sending` is stored before the mail server hears of it: after a crash nobody knows whether it did. */
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
  status: MailStatus
  attempts: number
  nextTryAt: EpochMs
  sentAt: EpochMs | null
  lastError: string | null
}

/** Something that somebody did and that the operator may ask about later. Entries are only ever added. */
export interface AuditEntry {
  id: string
  at: EpochMs
  /** The id of an API key or a user, or `operator`. */
  actor: string
  tenantId: string
  action: string
  /** What it was done to, or with: an id, a name, a count. */
  detail: JsonObject
}

/** One use of an idempotency key. Without a response the request is under way, or a crash cut it off. */
export interface IdempotencyRecord {
  /** Whose keys: an API key's id. */
  scope: string
  key: string
  /** SHA-256 of method, path and body, lowercase hex. */
  requestHash: string
  createdAt: EpochMs
  invoiceId: string | null
  response: { status: number; body: string } | null
}
