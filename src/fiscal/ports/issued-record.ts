import { sequenceRegister } from '../../domain/sale/receipt-number.ts'
import { type Invoice, type Journal, type Sequence, sequenceOf } from './model.ts'

/** A sale whose number was given out, as it is remembered outside of the database. */
export interface IssuedSale extends Sequence {
  position: number
  seal: string
  number: string
  registerMark: string
  invoiceId: string
  companyOib: string
  zki: string
  /** Null for as long as none was received. */
  jir: string | null
}

export function issuedSaleOf(invoice: Invoice): IssuedSale {
  const { id, companyId, mode, year, document, journalPosition, seal, jir } = invoice
  const { companyOib, premisesCode, registerMark, number, zki } = document
  const register = sequenceRegister(document)
  const sequence = sequenceOf({ companyId, mode, premisesCode, year, register })
  return { ...sequence, position: journalPosition, seal, number, registerMark, invoiceId: id, companyOib, zki, jir }
}

/**
 * What this process knows of the sales that it has stored, outside of the database: one that went back in time knows
 * less, and would give out their numbers again.
 */
export interface IssuedRecord {
  /** The latest sale and the highest number of each sequence, and the latest sales of all. The oldest first. */
  sales(): readonly IssuedSale[]
  /**
   * Remembers a sale that was committed, or its JIR. Resolves when it is written to a file, not flushed. Never rejects:
   * a sale does not fail because of it, and `problem` says what could not be written.
   */
  note(sale: IssuedSale): Promise<void>
  /** Why the record is not kept as it should be; null when it is. */
  problem(): RecordProblem | null
}

export interface RecordProblem {
  kind: 'missing' | 'unreadable' | 'foreign' | 'unwritable'
  /** For people: what was found, with the path. */
  detail: string
}

/** A premises whose journal lacks sales that were stored once. It sells nothing until each is accounted for. */
export interface Behind extends Journal {
  /** In the order of their positions. */
  sales: IssuedSale[]
}

/** What the database stores about itself and the sales that it lacks. */
export interface IssuedRows {
  /** Of these sales, the seals of those that the journals here hold at their positions. */
  held(sales: readonly IssuedSale[]): Promise<Set<string>>
  behind(): Promise<Behind[]>
  /** From then on `SaleRows.take` says of the premises that it is behind; until there are no sales that it lacks. */
  setBehind(premises: Behind): Promise<void>
}
