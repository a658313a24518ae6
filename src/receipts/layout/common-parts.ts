import { findingsOf } from '../../domain/sale/findings.ts'
import type { Receipt, ReceiptLanguage } from '../../domain/sale/receipt.ts'
import type { FiscalDocument, TaxLine } from '../../domain/sale/sale.ts'
import { logoBitmap } from '../logo/logo-bitmap.ts'
import type { Page } from './page.ts'
import type { Paper } from './paper.ts'
import { formatRate, WORDS } from './words.ts'

export function addLogo(page: Page, { logo: hash, logoFile: file }: Receipt, paper: Paper): void {
  const bitmap = hash !== undefined && file && logoBitmap({ hash, file }, paper)
  if (bitmap) page.picture(bitmap)
}

/** Above the total of a refund, with the receipt that it takes back if the caller named it (docs/spec/printing.md). */
export function addStorno(page: Page, { document, language, stornoOf }: Receipt): void {
  if (!document.total.startsWith('-') && stornoOf === undefined) return
  page.banner('STORNO', stornoOf === undefined ? undefined : `${WORDS[language].storno} ${stornoOf}`)
}

export function taxLabel(name: string, rate: string, language: ReceiptLanguage): string {
  return `${name} ${formatRate(rate, language)}`
}

/** The taxes of a sale by rate, e.g. `PDV 25%`; base and amount are decimal strings. */
export function taxLines(
  { vat, consumptionTax, otherTaxes }: FiscalDocument,
  language: ReceiptLanguage,
): { label: string; base: string; amount: string }[] {
  const words = WORDS[language]
  const line = (name: string, { rate, base, amount }: TaxLine) => ({
    label: taxLabel(name, rate, language),
    base,
    amount,
  })
  return [
    ...vat.map((tax) => line(words.vat, tax)),
    ...consumptionTax.map((tax) => line(words.consumptionTax, tax)),
    ...otherTaxes.map((tax) => line(tax.name, tax)),
  ]
}

/** Whether the receipt says that no VAT is charged: never beside VAT that was sent, for paper never differs from the message. */
export function saysOutsideVat(document: FiscalDocument): boolean {
  return !document.vatRegistered && !findingsOf(document).includes('v142')
}

/** The amounts without a rate that a sale has, fees last. */
export function amountLines(document: FiscalDocument, language: ReceiptLanguage): { name: string; amount: string }[] {
  const words = WORDS[language]
  const lines = [
    { name: words.exempt, amount: document.vatExemptAmount },
    { name: words.margin, amount: document.marginAmount },
    { name: words.nonTaxable, amount: document.nonTaxableAmount },
    ...document.fees,
  ]
  return lines.flatMap(({ name, amount }) => (amount === null ? [] : [{ name, amount }]))
}
