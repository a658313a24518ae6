import type { EpochMs } from '../instant.ts'
import type { FiscalDocument, Mode } from './sale.ts'

export const RECEIPT_LANGUAGES = ['hr', 'en'] as const
export type ReceiptLanguage = (typeof RECEIPT_LANGUAGES)[number]

/** How an operator wants receipts to look: the member `receipt` of `device_config`, else of `fiscal_config`. */
export interface ReceiptStyle {
  header: string[]
  footer: string[]
  language: ReceiptLanguage
}

/** A line of goods as it is printed; never sent to the tax authority. All are decimal strings but the name. */
export interface ReceiptItem {
  name: string
  /** E.g. `1`, `0.250`. */
  quantity: string
  unitPrice: string
  amount: string
}

/**
 * What a receipt says beside the fiscal document, as it was when the sale was made: a copy that is printed a year later
 * says the same, wherever the company has moved meanwhile.
 */
export interface ReceiptFacts extends ReceiptStyle {
  issuerName: string
  /** Street, then postal code and city; what is not known is left out. */
  issuerAddress: string[]
  premisesAddress: string | null
  /** The label of the device. */
  machine: string
  items: ReceiptItem[]
}

/** The printed form of an invoice, as data (spec/printing.md, The law and a vending machine). */
export interface Receipt extends ReceiptFacts {
  document: FiscalDocument
  mode: Mode
  /** With its milliseconds, as for the QR code. */
  occurredAt: EpochMs
  jir: string | null
  qrPayload: string
  /** Null for the original; 1 for the first `KOPIJA`. */
  copy: number | null
}
