import { hash } from 'node:crypto'
import { type JournalEntry, NO_SEAL, sealText } from '../../domain/sale/journal.ts'
import type { JournalEnd } from '../ports/rows/sales.ts'

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
