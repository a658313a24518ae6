import { sequenceRegister } from '../../../domain/sale/receipt-number.ts'
import type { Both } from '../../../domain/texts/both.ts'
import { type Invoice, type Journal, type Sequence, sequenceOf } from '../model.ts'

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

export function issuedSale({ document, ...invoice }: Invoice): IssuedSale {
  const { id, companyId, mode, year, journalPosition, seal, jir } = invoice
  const { premisesCode, number, zki } = document
  const sequence = sequenceOf({ companyId, mode, premisesCode, year, register: sequenceRegister(document) })
  return { ...sequence, invoiceId: id, number, position: journalPosition, seal, zki, jir }
}

/**
 * What this process has issued, outside of the database: a database that went back in time lacks the end of it. Of each
 * premises the latest sales are known, and the one with the highest number of each sequence.
 */
export interface IssuedRecord {
  sales(): IssuedSale[]
  /** Resolves when written, not flushed; never rejects: no sale depends on it. A sale may come again with its JIR. */
  note(sale: IssuedSale): Promise<void>
  /** What was wrong with the record at the start, or why it cannot be written now; null when all is well. */
  problem(): Both | null
}

/** A premises whose journal lacks sales that were issued. It sells nothing until each is accounted for. */
export interface Behind extends Journal {
  /** In the order of their positions. */
  sales: IssuedSale[]
}

/** What the database stores about the sales that it lacks. */
export interface IssuedRows {
  /** Of these sales, the seals of those that the journals here hold at their positions. */
  held(sales: readonly IssuedSale[]): Promise<Set<string>>
  /** The latest own sale of each of these journals. */
  latest(journals: readonly Journal[]): Promise<IssuedSale[]>
  behind(): Promise<Behind[]>
  /** From then on `SaleRows.take` says of the premises that it is behind; until there are no sales that it lacks. */
  setBehind(premises: Behind): Promise<void>
}
