import type { SequenceMark } from './receipt-number.ts'

export const MODES = ['test', 'live'] as const
export type Mode = (typeof MODES)[number]
export type SaleType = 'unattended' | 'attended'

/** How a sale was paid: cash, card, other or mixed, bank transfer (NacinPlac). */
export type PaymentMethod = 'G' | 'K' | 'O' | 'T'

/** A tax per rate; all three are decimal strings, the rate a percentage. */
export interface TaxLine {
  rate: string
  base: string
  amount: string
}

export interface NamedTaxLine extends TaxLine {
  name: string
}

export interface Fee {
  name: string
  amount: string
}

/** What the tax authority is told of a sale. It never changes once stored: every message, re-sent too, is made from it. */
export interface FiscalDocument {
  companyOib: string
  vatRegistered: boolean
  /** The moment of the sale, cut to the second, in epoch milliseconds. */
  occurredAt: number
  sequenceMark: SequenceMark
  number: string
  premisesCode: string
  registerMark: string
  vat: TaxLine[]
  consumptionTax: TaxLine[]
  otherTaxes: NamedTaxLine[]
  vatExemptAmount: string | null
  marginAmount: string | null
  nonTaxableAmount: string | null
  fees: Fee[]
  total: string
  paymentMethod: PaymentMethod
  operatorOib: string
  zki: string
  paragonNumber: string | null
  specialPurpose: string | null
  recipientOib: string | null
}
