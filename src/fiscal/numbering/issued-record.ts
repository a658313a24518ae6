import { sequenceRegister } from '../../domain/sale/receipt-number.ts'
import type { Invoice, Journal, Sequence } from '../ports/model.ts'

/** An issued sale, as it is known outside of the database. */
export interface IssuedSale extends Sequence {
  invoiceId: string
  number: string
  /** In the journal of its premises. */
  position: number
  seal: string
  zki: string
  /** Null until the tax authority has answered. */
  jir: string | null
}

/**
 * What this process has issued, outside of the database: a database that went back in time lacks the end of it. Of each
 * premises the latest sales are known, and the one with the highest number of each sequence.
 */
export interface IssuedRecord {
  /** The latest sale of a premises. */
  end(journal: Journal): IssuedSale | undefined
  /** The latest sale of each premises. */
  ends(): IssuedSale[]
  /** The known sales of a premises, by their positions. */
  of(journal: Journal): readonly IssuedSale[]
  /**
   * Written when it resolves, not flushed. Never rejects: a sale does not depend on it. A sale may be noted again, with
   * its JIR.
   */
  note(sale: IssuedSale): Promise<void>
  /** Knows these sales of the premises from now on, and no others. They are on the disk when it resolves. */
  replace(journal: Journal, sales: readonly IssuedSale[]): Promise<void>
  /** What was wrong with the record at the start, or why it cannot be written now; null when all is well. */
  problem(): string | null
}

export function issuedSale({ document, ...invoice }: Invoice): IssuedSale {
  const { id, companyId, mode, year, journalPosition, seal, jir } = invoice
  const { premisesCode, number, zki } = document
  return {
    ...{ companyId, mode, premisesCode, year, register: sequenceRegister(document) },
    ...{ invoiceId: id, number, position: journalPosition, seal, zki, jir },
  }
}
