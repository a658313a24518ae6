import type { ClosingPaper, ClosingPart } from '../../domain/sale/closing.ts'
import { periodText } from '../../domain/sale/closing-period.ts'
import { formatZagreb } from '../../domain/zagreb.ts'
import type { Block } from './blocks.ts'
import { Page } from './page.ts'
import type { Paper } from './paper.ts'
import { formatDecimal, formatRate, type InWords, inWords, type Words } from './words.ts'

const CENTRED = { align: 'center' } as const

/** A closing from top to bottom. It has no QR code, and says twice that it is not a fiscal receipt. */
export function layOutClosing(given: ClosingPaper, paper: Paper): Block[] {
  const told = inWords(given)
  const { closing, words } = told
  const page = new Page(paper)
  title(page, told)
  page.rule()
  page.field(words.closing.closedAt, formatZagreb(closing.closedAt, 'dd.MM.yyyy HH:mm:ss'))
  page.pair(words.closing.invoices, String(closing.invoices))
  for (const { first, last } of closing.ranges) {
    page.field(words.closing.from, first)
    page.field(words.closing.to, last)
  }
  page.rule()
  payments(page, told)
  page.rule()
  taxes(page, told)
  page.field(words.closing.fingerprint, closing.fingerprint)
  page.text(words.testNote, { ...CENTRED, bold: true })
  return page.blocks
}

function title(page: Page, { closing, header, words }: InWords<ClosingPaper>): void {
  if (closing.mode === 'test') {
    page.text('TEST', { ...CENTRED, bold: true, size: 'double' })
    page.blank()
  }
  page.text(words.closing.title, { ...CENTRED, bold: true, size: 'double' })
  page.text(words.testNote, { ...CENTRED, bold: true })
  page.blank()
  for (const line of header) page.text(line, CENTRED)
  if (page.shows(closing.company.name)) page.text(closing.company.name, { ...CENTRED, bold: true })
  page.text(`OIB: ${closing.company.oib}`, CENTRED)
  page.text(`${words.premises}: ${closing.premisesCode}`, CENTRED)
  page.text(`${words.closing.of[closing.unit]}: ${periodText(closing)}`, { ...CENTRED, bold: true })
  if (closing.number > 1) page.text(`${words.closing.supplement} ${closing.number}`, CENTRED)
}

function payments(page: Page, { closing, language, words }: InWords<ClosingPaper>): void {
  const counted = (text: string, invoices: number) => `${text} (${invoices})`
  for (const { method, invoices, total } of closing.payments) {
    page.pair(counted(words.payments[method], invoices), formatDecimal(total, language))
  }
  page.bigPair(words.total, formatDecimal(closing.total, language))
  const { refunds, withoutJir } = closing
  if (refunds.invoices > 0) {
    page.pair(counted(words.closing.refunds, refunds.invoices), formatDecimal(refunds.total, language))
  }
  if (withoutJir.invoices === 0) return
  page.pair(counted(words.closing.withoutJir, withoutJir.invoices), formatDecimal(withoutJir.total, language))
  const more = withoutJir.invoices > withoutJir.numbers.length ? ', ...' : ''
  page.text(`${withoutJir.numbers.join(', ')}${more}`)
}

function taxes(page: Page, { closing: { parts }, language, words }: InWords<ClosingPaper>): void {
  const taxed = parts.filter(({ rate }) => rate !== null)
  const rows = taxed.map(({ kind, rate, name, base, tax }) => [
    `${name ?? nameOf(kind, words)} ${formatRate(rate ?? '', language)}`,
    formatDecimal(base, language),
    formatDecimal(tax, language),
  ])
  if (rows.length > 0) page.table([words.tax, words.taxBase, words.taxAmount], rows)
  for (const { kind, name, rate, amount } of parts) {
    if (rate === null) page.pair(name ?? nameOf(kind, words), formatDecimal(amount, language))
  }
  if (parts.length > 0) page.rule()
}

function nameOf(kind: ClosingPart['kind'], { closing, ...words }: Words): string {
  const names: Record<ClosingPart['kind'], string> = {
    vat: words.vat,
    consumption_tax: words.consumptionTax,
    other_tax: closing.otherTax,
    exempt: words.exempt,
    non_taxable: words.nonTaxable,
    margin: words.margin,
    fee: closing.fees,
    outside_vat: closing.outsideVat,
    rest: closing.rest,
  }
  return names[kind]
}
