import type { InvoiceStatus } from '../domain/invoice.ts'
import type { PrinterCondition, PrintJobStatus } from '../domain/printer.ts'
import type { Mode } from '../domain/sale.ts'

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
  created_at: string
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
  uptime_s: number
  checked_at: string
  companies: StatusCompany[]
  devices: { total: number; without_isu: number; able_to_sell: number }
  /** `legal_deadline_at`: when the oldest sale that waits should have been delivered by law. */
  queue: Queue & { oldest_at: string | null; legal_deadline_at: string | null }
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
  sync: null
  backup: { last_at: string | null }
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
}
