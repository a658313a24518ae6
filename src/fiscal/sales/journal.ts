import { createHash } from 'node:crypto'
import { type JournalEntry, NO_SEAL, sealText } from '../../domain/sale/journal.ts'
import type { Journal } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The seal of an entry: SHA-256, lowercase hex. */
export function sealOf(entry: JournalEntry, previousSeal: string): string {
  return createHash('sha256').update(sealText(entry, previousSeal)).digest('hex')
}

/** Appends an entry to its journal, inside the transaction that stores it. */
export async function enter<T extends Omit<JournalEntry, 'journalPosition'>>(
  tx: Pick<StoreTransaction, 'invoices'>,
  journal: Journal,
  issued: T,
): Promise<T & { journalPosition: number; seal: string }> {
  const last = (await tx.invoices.lastOf(journal)) ?? { journalPosition: 0, seal: NO_SEAL }
  const entry = { ...issued, journalPosition: last.journalPosition + 1 }
  return { ...entry, seal: sealOf(entry, last.seal) }
}
