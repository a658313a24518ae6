import type { Alert } from './alerts.ts'
import type { Certificate, Company, Device, Invoice, MessageRecord, PrintJob } from './model.ts'
import type { AskedRequest } from './rows/authority-requests.ts'

/** In the order of references: a row only refers to rows of earlier kinds. */
export const SYNC_KINDS = [
  'company',
  'certificate',
  'device',
  'invoice',
  'message',
  'print_job',
  'request',
  'alert',
] as const

export type SyncKind = (typeof SYNC_KINDS)[number]

/** A message with its XML as stored: compressed once, by the gateway that sent it. */
export type ZippedMessage = Omit<MessageRecord, 'requestXml' | 'responseXml'> & {
  /** gzip of the UTF-8 text. */
  requestXml: Buffer | null
  responseXml: Buffer | null
}

/** Rows as they are sent. The sender determines tenant and gateway, and secrets are left out. */
export interface SyncRows {
  /** The logo comes as its picture, which the receiver may not have. */
  company: Omit<Company, 'tenantId' | 'gatewayId' | 'logoHash'> & { logo: Buffer | null }
  certificate: Omit<Certificate, 'sealedKey'>
  device: Omit<Device, 'tenantId' | 'gatewayId'>
  invoice: Omit<Invoice, 'tenantId' | 'gatewayId'>
  message: ZippedMessage
  print_job: PrintJob
  /** What was sent stays at the gateway. */
  request: Omit<AskedRequest, 'tenantId' | 'gatewayId' | 'jobRow' | 'requestXml' | 'responseXml'>
  alert: Omit<Alert, 'tenantId' | 'gatewayId' | 'companyId'>
}

/** The kind and id of a row. The id of a print job is `INVOICE/COPY`. */
export interface RowKey {
  kind: SyncKind
  id: string
}

/** A whole row. Its version is the position of its latest change in the outbox of its gateway. */
export type SyncRecord = { [K in SyncKind]: { kind: K; id: string; version: number; row: SyncRows[K] } }[SyncKind]
export type RecordOf<K extends SyncKind> = Extract<SyncRecord, { kind: K }>

export interface OutboxEntry extends RowKey {
  position: number
}

/**
 * The changes to send to a central server. Each row appears once, at the position of its latest change. Nothing is noted
 * without an enrolment: what was there before gets its position afterwards.
 */
export interface Outbox {
  /** Gives positions to so many rows from before the enrolment. @returns whether all of them have one */
  addOlder(limit: number): Promise<boolean>
  /** Changes after a position, in order. */
  after(position: number, limit: number): Promise<OutboxEntry[]>
  /** The entries of these rows, in no order; a row that does not exist has none. */
  of(keys: readonly RowKey[]): Promise<OutboxEntry[]>
  /** About how many rows changed after a position or have none yet, counted in slices; 0 only when there are none. */
  waiting(position: number): Promise<number>
  /** The highest position that was ever used; 0 before the first. */
  last(): Promise<number>
  /** Makes sure that the next change gets a position above this one. */
  goBeyond(position: number): Promise<void>
  /** Gives every row a new position, counted from 1, and keeps their order. */
  beginAnew(): Promise<void>
  /** Moves rows behind all others, as if they had changed. */
  touch(keys: readonly RowKey[]): Promise<void>
  /** Current rows of one tenant, with their positions as versions; other tenants' and missing rows are left out. */
  read(entries: readonly OutboxEntry[], tenantId: string): Promise<SyncRecord[]>
}
