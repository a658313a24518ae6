import type { Alert } from './alerts.ts'
import type { Certificate, Company, Device, Invoice, MessageRecord, PrintJob } from './model.ts'

/** In the order in which rows rest on each other: each only on rows of kinds before it. */
export const SYNC_KINDS = ['company', 'certificate', 'device', 'invoice', 'message', 'print_job', 'alert'] as const

export type SyncKind = (typeof SYNC_KINDS)[number]

/** A message with its XML as it is kept: packed once, where it was sent, for whoever reads it. */
export type ZippedMessage = Omit<MessageRecord, 'requestXml' | 'responseXml'> & {
  /** gzip of the UTF-8 text. */
  requestXml: Buffer | null
  responseXml: Buffer | null
}

/** Rows as they travel: whose they are is known from who sends them, and no secret goes along. */
export interface SyncRows {
  company: Omit<Company, 'tenantId' | 'gatewayId'>
  certificate: Omit<Certificate, 'sealedKey'>
  device: Omit<Device, 'tenantId' | 'gatewayId'>
  invoice: Omit<Invoice, 'tenantId' | 'gatewayId'>
  message: ZippedMessage
  print_job: PrintJob
  alert: Omit<Alert, 'tenantId' | 'gatewayId'>
}

/** Which row: its kind and its id; that of a print job is `INVOICE/COPY`. */
export interface SyncPlace {
  kind: SyncKind
  id: string
}

/** A whole row as it is at a version: the place of its latest change in the outbox of its gateway. */
export type SyncRecord = { [K in SyncKind]: { kind: K; id: string; version: number; row: SyncRows[K] } }[SyncKind]

export interface OutboxEntry extends SyncPlace {
  seq: number
}

/** The changes that a central server is to be told, each row once, at the place of its latest change. */
export interface Outbox {
  /** Changes after a place, in order. */
  after(seq: number, limit: number): Promise<OutboxEntry[]>
  /** The entries of these rows, in no order; a row that is not there has none. */
  of(places: readonly SyncPlace[]): Promise<OutboxEntry[]>
  /** How many rows changed after a place, about: they are counted in slices, and others go on meanwhile. */
  waiting(seq: number): Promise<number>
  /** The highest place that was ever given out; 0 before the first. */
  last(): Promise<number>
  /** The next change gets a place behind this one. */
  goBeyond(seq: number): Promise<void>
  /** Gives every row a new place, counted from 1, in the order that they have. */
  beginAnew(): Promise<void>
  /** Puts rows behind all others, as if they had changed. */
  touch(places: readonly SyncPlace[]): Promise<void>
  /**
   * The rows as they are now, of one tenant, each with its entry's place as its version; rows of other tenants, and what
   * is no longer there, are left out.
   */
  read(entries: readonly OutboxEntry[], tenantId: string): Promise<SyncRecord[]>
}
