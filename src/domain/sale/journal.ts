import type { EpochMs } from '../instant.ts'
import type { ReceiptFacts } from './receipt.ts'
import type { FiscalDocument, Mode } from './sale.ts'

/** What was issued: everything about an invoice that never changes again. */
export interface JournalEntry {
  id: string
  tenantId: string
  companyId: string
  deviceId: string
  certificateId: string
  mode: Mode
  /** The sale moment as it was sent, offset and all. */
  occurredAtText: string
  occurredAt: EpochMs
  /** The calendar year in Europe/Zagreb in which the number counts. */
  year: number
  document: FiscalDocument
  /** Null for what was issued before receipts were printed. */
  receipt: ReceiptFacts | null
  /** The caller chose the number instead of taking the next one. */
  numberSupplied: boolean
  deadlineAt: EpochMs
  createdAt: EpochMs
  /** The place in the journal of its premises, from 1, without gaps. */
  journalPosition: number
}

/** What stands before the first entry of a journal. */
export const NO_SEAL = ''

/**
 * The text whose SHA-256 seals an entry into the journal of its premises: what was issued, and the seal of the entry
 * before it, so that nothing can be changed, left out or put in between without every later seal telling (NN 89/2025,
 * art. 14). Its form is fixed for ever: old seals are made from it again.
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
