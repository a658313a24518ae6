import type { EpochMs } from '../instant.ts'
import type { FiscalDocument, Mode } from './sale.ts'

export const RECEIPT_LANGUAGES = ['hr', 'en', 'both'] as const
export type ReceiptLanguage = (typeof RECEIPT_LANGUAGES)[number]

/** `compact`: as little paper as the law allows; `full`: a table with all words. */
export const RECEIPT_PAPERS = ['compact', 'full'] as const
export type ReceiptPaper = (typeof RECEIPT_PAPERS)[number]

/** The operator's layout settings for receipts: the member `receipt` of `device_config`, else of `fiscal_config`. */
export interface ReceiptStyle {
  header: string[]
  footer: string[]
  language: ReceiptLanguage
  paper: ReceiptPaper
}

/** A printed line of goods; never sent to the tax authority. All fields except the name are decimal strings. */
export interface ReceiptItem {
  name: string
  /** E.g. `1`, `0.250`. */
  quantity: string
  unitPrice: string
  amount: string
}

/** What else is on a receipt, as of the sale: a copy a year later is equal, even if the company has moved since. */
export interface ReceiptFacts extends Omit<ReceiptStyle, 'paper'> {
  /** Receipts from before there was a choice have none, and are `full`. */
  paper?: ReceiptPaper
  issuerName: string
  /** Street, then postal code and city; unknown parts are left out. */
  issuerAddress: string[]
  premisesAddress: string | null
  /** The label of the device. */
  machine: string
  items: ReceiptItem[]
  /** The number of the receipt that a refund takes back, as it is printed; left out where none was named. */
  stornoOf?: string
  /** The logo, by the SHA-256 of its picture; left out where there is none. */
  logo?: string
  /** Whether its sale answered with a link to it. */
  hasLink?: true
}

/** The printed form of an invoice, as data (docs/spec/printing.md, The law and a vending machine). */
export interface Receipt extends ReceiptFacts {
  paper: ReceiptPaper
  document: FiscalDocument
  mode: Mode
  /** With milliseconds, as for the QR code. */
  occurredAt: EpochMs
  jir: string | null
  /** The picture that `logo` names: a PNG as large as it is printed at 203 dpi. It is left out of the text. */
  logoFile?: Buffer | undefined
  qrPayload: string
  /** Null for the original; 1 for the first `KOPIJA` on paper; copies in other forms are not counted. */
  copy: number | 'uncounted' | null
}
