import { hash } from 'node:crypto'
import type { EpochMs } from '../instant.ts'
import type { ReceiptFacts } from './receipt.ts'
import type { FiscalDocument, Mode } from './sale.ts'

/** The part of an invoice that never changes after it was issued. */
export interface JournalEntry {
  id: string
  tenantId: string
  companyId: string
  deviceId: string
  certificateId: string
  mode: Mode
  /** The moment of the sale as sent, with its offset. */
  occurredAtText: string
  occurredAt: EpochMs
  /** The calendar year of the number, in Europe/Zagreb. */
  year: number
  document: FiscalDocument
  /** Null for invoices from before receipts were printed. */
  receipt: ReceiptFacts | null
  /** Whether the caller chose the number. */
  numberSupplied: boolean
  deadlineAt: EpochMs
  createdAt: EpochMs
  /** The position in the journal of its premises, from 1, without gaps. */
  journalPosition: number
}

/** The previous seal of the first entry of a journal. */
export const NO_SEAL = ''

/**
 * The text whose SHA-256 seals an entry: a changed, missing or inserted one breaks all later seals (NN 89/2025, art. 14).
 * The format must never change, because old seals are recomputed from it.
 */
export function sealText(entry: JournalEntry, previousSeal: string): string {
  return JSON.stringify([
    'fiskd journal 1',
    previousSeal,
    entry.journalPosition,
    entry.id,
    entry.tenantId,
    entry.companyId,
    entry.deviceId,
    entry.certificateId,
    entry.mode,
    entry.occurredAtText,
    entry.occurredAt,
    entry.year,
    entry.numberSupplied,
    entry.deadlineAt,
    entry.createdAt,
    entry.document,
    ...(entry.receipt === null ? [] : [entry.receipt]),
  ])
}

export interface JournalEnd {
  journalPosition: number
  seal: string
}

/** The seal of an entry: SHA-256, lowercase hex. */
export function sealOf(entry: JournalEntry, previousSeal: string): string {
  return hash('sha256', sealText(entry, previousSeal))
}

/** The next entry of a journal. @param last its end; undefined when it is empty */
export function enter<T extends Omit<JournalEntry, 'journalPosition'>>(
  last: JournalEnd | undefined,
  issued: T,
): T & JournalEnd {
  const { journalPosition, seal } = last ?? { journalPosition: 0, seal: NO_SEAL }
  const entry = { ...issued, journalPosition: journalPosition + 1 }
  return { ...entry, seal: sealOf(entry, seal) }
}
