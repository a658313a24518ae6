import type { AlertState, Severity } from '../domain/alert.ts'
import type { PrinterCondition, PrintJobStatus } from '../domain/printer.ts'
import type { InvoiceStatus } from '../domain/sale/invoice.ts'
import type { Mode } from '../domain/sale/sale.ts'

/** What the commands read of the daemon's answers (interface.md, Resources). Times are ISO 8601, in UTC or with offset. */
export interface Company {
  id: string
  name: string
  oib: string
  vat_registered: boolean
  address: Record<string, unknown>
  fiscal_config: Record<string, unknown>
  mode: Mode
  status: string
  certificate_status: string
  certificate_expires_at: string | null
}

export interface Device {
  id: string
  company_id: string
  premises_code: string
  premises_address: string | null
  label: string
  isu_number: string | null
  isu_status: string
  device_config: Record<string, unknown>
  status: string
}

/** What came of a CSV file. */
export interface DeviceImport {
  object: 'device_import'
  dry_run: boolean
  processed: number
  created: number
  updated: number
  failed: number
  errors: { row: number; label: string; code: string; message: string; param: string | null }[]
}

export interface Certificate {
  id: string
  company_id: string
  label: string | null
  subject_oib: string
  subject_cn: string
  issuer: string
  serial: string
  not_before: string
  not_after: string
  days_until_expiry: number
  status: string
}

export interface Invoice {
  id: string
  status: InvoiceStatus
  jir: string | null
  zki: string
  number: string
  occurred_at: string
  total: string
  currency: string
  fiscal_error?: { code: string; message: string; retry_scheduled: boolean }
  device_id?: string
  payment_method?: string
  mode?: Mode
  attempts?: number
  late_delivery?: boolean
  deadline_at?: string
  confirmed_at?: string | null
}

export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

export interface ApiKey {
  id: string
  /** Shown this once. */
  key: string
  mode: Mode
  scopes: string[]
}

export interface Queue {
  pending: number
  retrying: number
  failed: number
  expired: number
  next_deadline_at: string | null
}

/** How the sweep gets on. */
export interface Sweep {
  running: boolean
  ended_at: string | null
  /** The tax authority could not be reached: the next pass comes by itself. */
  unreachable: boolean
  queue: Queue
}

/** A key as it is listed: without the key. */
export interface StoredKey {
  id: string
  name: string | null
  mode: Mode
  scopes: string[]
  device_id: string | null
  created_at: string
  revoked_at: string | null
}

export interface User {
  id: string
  name: string
  role: string
  is_platform_admin: boolean
  email: string | null
  language: string
  second_factor: boolean
  created_at: string
}

/** How far the receipt numbers of a premises, or of one of its registers, have got. */
export interface NumberStanding {
  company: { id: string; name: string; oib: string }
  mode: Mode
  premises_code: string
  year: number
  register: string | null
  highest: string | null
  left: string
  ahead: { count: number; latest: { number: string; invoice_id: string | null; noted_at: string } } | null
}

/** Sequences that count from a lower number on. */
export interface HealedNumbers {
  dry_run: boolean
  healed: {
    company_id: string
    mode: Mode
    premises_code: string
    year: number
    register: string | null
    from: string
    to: string
    ahead: number
    shortened: number
  }[]
}

export interface Tenant {
  id: string
  name: string
  created_at: string
}

export interface AuditEntry {
  id: string
  at: string
  actor: string
  action: string
  detail: Record<string, unknown>
}

export interface Alert {
  id: string
  kind: string
  severity: Severity
  state: AlertState
  subject: string
  /** The gateway that told of it; null for our own. */
  gateway: string | null
  detail: Record<string, unknown>
  raised_at: string
  acknowledged_at: string | null
  acknowledged_by: string | null
  resolved_at: string | null
}

export interface TestMails {
  mails: { to: string; sent: boolean; answer: string }[]
}

export interface TrustedCertificate {
  subject: string
  /** SHA-256, hex. */
  fingerprint: string
  not_after: string
}

export interface RevocationList {
  issuer: string
  this_update: string
  next_update: string | null
  entries: number
}

export interface TrustBundle {
  mode: Mode
  path: string
  certificates: TrustedCertificate[]
  revocation_lists?: RevocationList[]
}

export interface TrustChange extends TrustBundle {
  added: TrustedCertificate[]
  added_revocation_lists?: RevocationList[]
}

export interface StatusCompany {
  name: string
  oib: string
  mode: Mode
  status: string
  certificate_status: string
  certificate_days_left: number | null
}

export interface Status {
  can_sell: boolean
  problems: { subject: string; problem: string; fix: string }[]
  version: string
  role: string
  /** The addresses that it is meant to be reached at; `problem`: why it is not. */
  listen: { address: string; problem: string | null }[]
  uptime_s: number
  checked_at: string
  companies: StatusCompany[]
  devices: { total: number; without_isu: number; able_to_sell: number }
  /** `legal_deadline_at`: when the oldest sale that waits should have been delivered by law. */
  queue: Queue & { oldest_at: string | null; legal_deadline_at: string | null }
  /** Failed because a JIR could not be believed; `may_send`: answers are believed again. */
  parked: { count: number; may_send: boolean }
  last_jir_at: string | null
  /** Null before the tax authority was asked for the first time. */
  cis: {
    reachable: boolean
    latency_ms: number | null
    endpoint: string
    mode: Mode
    checked_at: string
    /** How long ago that was. */
    age_s: number
    detail: string | null
  } | null
  clock: {
    status: 'ok' | 'behind' | 'off' | 'jumped' | 'unsynchronised'
    trusted: boolean
    synchronised: boolean | null
    offset_ms: number | null
    newest_known_at: string | null
    detail: string | null
  }
  /** `left_out`: what is no longer stored for want of room. */
  disk: { free_bytes: number | null; left_out: ('logs' | 'messages' | 'sales')[] }
  printers: (PrinterCondition & { device: { id: string; label: string } })[]
  /** Null: not set up. */
  sync: SyncSummary | null
  backup: { last_at: string | null; elsewhere: boolean }
}

export interface SyncSummary {
  /** Numbers that the server tells and that are not believed. */
  doubtful: number
  state:
    | 'connecting'
    | 'connected'
    | 'unreachable'
    | 'revoked'
    | 'duplicated'
    | 'replaced'
    | 'incompatible'
    | 'unreadable'
  /** Its address. */
  server: string
  /** Rows that the server has not been told of. */
  waiting: number
  refused: number
  last_push_at: string | null
  last_error: { at: string; code: string; message: string } | null
}

/** A receipt number that the central server tells and that is not believed. */
export interface DoubtfulNumber {
  company_id: string
  mode: 'test' | 'live'
  premises_code: string
  year: number
  /** Empty where the premises numbers as one. */
  register: string
  highest: string
  /** The highest here; null for none. */
  known: string | null
  doubt: 'out_of_reach' | 'unsigned'
}

/** A gateway and its central server. */
export interface Sync {
  enrolled: boolean
  sync:
    | (SyncSummary & {
        /** Since when the state is as it is. */
        since: string
        server_id: string | null
        server_program: string | null
        gateway: { id: string; name: string | null }
        tenant: string
        /** Tenants of which the server is told nothing. */
        other_tenants: string[]
        enrolled_at: string
        next_try_at: string | null
        /** Everything is about to be told again. */
        tells_again: boolean
        /** The server has answered since it was last to be told at once. */
        heard: boolean
        max_kbps: number | null
        conflicts: { what: string; value: string; message: string }[]
      })
    | null
  doubtful_numbers: DoubtfulNumber[]
  /** The latest ones. */
  refusals: { kind: string; id: string; version: number; code: string; message: string; refused_at: string }[]
}

export interface Diagnosis {
  ok: boolean
  checks: { name: string; status: 'ok' | 'warn' | 'fail' | 'skip'; detail: string; fix: string | null }[]
}

/** The receipt printer of a device. */
export interface Printer {
  device: { id: string; label: string; premises_code: string }
  line: string
  profile: string
  expire_after_s: number
  /** As they are in force, by their names in the interface. */
  settings: Record<string, string | number>
  /** The names of those that differ from the profile's. */
  overridden: string[]
  condition: PrinterCondition
  last_receipt: PrintJob | null
}

export interface PrinterList extends List<Printer> {
  /** Lines of this machine that may lead to printers. */
  found: string[]
}

export interface PrintJob {
  invoice_id: string
  /** 0 for the original. */
  copy: number
  status: PrintJobStatus
  created_at: string
  ended_at: string | null
  detail: string | null
}

export interface PrinterTest {
  status: PrintJobStatus
  detail: string | null
  printer: Printer
}

/** What `fiskd --restore` has done. */
export interface Restored {
  database: string
  file: string
  /** Lowercase hex. */
  sha256: string
  invoices: number
  newest_invoice_at: string | null
  /** Where the database is that was there before. */
  replaced: string | null
  /** Sales that were here and are not in the backup; null when nothing tells. */
  lost: { invoices: number; without_jir: number } | null
  /** Databases that were here and could not be read. */
  unreadable: string[]
  sequences: {
    company: string
    mode: Mode
    premises_code: string
    year: number
    register: string
    /** The highest number in the backup. */
    highest: string
    /** The numbers that are never given out; null when there are none between. */
    from: string | null
    to: string | null
    /** Up to here they are known to have been given out. */
    used_to: string | null
    why: 'stated' | 'gap'
  }[]
  certificates_out_of_use: number
  /** The central server that was asked. */
  server?: {
    url: string
    sequences: number
    /** When the gateway last told it how it is. */
    reported_at: string | null
    /** Changes that it had not told of then. */
    waiting: number | null
  } | null
}

export type GatewayState = 'awaiting_token' | 'connected' | 'silent' | 'duplicated' | 'left' | 'revoked'

/** A gateway of a central server. */
export interface Gateway {
  id: string
  name: string
  state: GatewayState
  version: string | null
  created_at: string
  enrolled_at: string | null
  last_seen_at: string | null
  revoked_at: string | null
  duplicated_at: string | null
  token_expires_at: string | null
  /** Records of it that were refused. */
  refused: number
  /** The OIBs that it may sell for; null for every company of its tenant. */
  companies: string[] | null
  /** What it said of itself last. */
  heartbeat: {
    version: string
    can_sell: boolean
    problems: { code: string; message: string }[]
    queue: { pending: number; retrying: number; failed: number; expired: number; oldest_at: string | null }
    outbox: { waiting: number; refused: number }
    printers: { device_id: string; state: string; detail: string | null }[]
    clock: { status: string; trusted: boolean; offset_ms: number | null; now: string }
    disk: { free_bytes: number | null; left_out: string[] }
    last_jir_at: string | null
  } | null
}

export interface GatewayDetails extends Gateway {
  premises: { company_id: string; premises_code: string }[]
  refusals: { kind: string; id: string; version: number; code: string; message: string; refused_at: string }[]
  conflicts: {
    what: 'label' | 'isu_number'
    value: string
    company_id: string
    devices: { id: string; gateway_id: string | null; label: string; premises_code: string }[]
  }[]
}

export interface AddedGateway {
  id: string
  name: string
  token: string
  token_expires_at: string
}

export interface RevokedGateway {
  id: string
  name: string
  revoked_at: string
  released: boolean
}

/** An invoice that was refused for its number and is to be stored now. */
export interface AcceptedInvoice {
  id: string
  name: string
  invoice_id: string
  /** Counting goes on from its number. */
  follow: boolean
}

/** What a gateway was told to do, and what came of it. */
export interface GatewayCommand {
  id: string
  number: number
  type: string
  /** Without what is sealed. */
  body: Record<string, unknown>
  status: 'waiting' | 'done' | 'failed' | 'refused' | 'expired' | 'interrupted'
  issued_by: string
  issued_at: string
  expires_at: string
  /** When the gateway fetched it first. */
  sent_at: string | null
  answered_at: string | null
  /** By the type of the command; `error: { code, message, param }` when it was not done. */
  result: Record<string, unknown> | null
  /** What it brought back beside its result. */
  attachment: { name: string; bytes: number } | null
}
