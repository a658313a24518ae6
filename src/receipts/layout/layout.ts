import type { Receipt, ReceiptItem } from '../../domain/sale/receipt.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import { formatZagreb } from '../../domain/zagreb.ts'
import type { Block } from './blocks.ts'
import { addLogo, addStorno, amountLines, saysOutsideVat, taxLabel, taxLines } from './common-parts.ts'
import { layOutCompact } from './compact-layout.ts'
import { Page } from './page.ts'
import type { Paper } from './paper.ts'
import { formatDecimal, type InWords, inWords } from './words.ts'

/** The receipt from top to bottom, as the law requires it (docs/spec/printing.md, The law and a vending machine). */
export function layOut(receipt: Receipt, paper: Paper): Block[] {
  return receipt.paper === 'compact' ? layOutCompact(receipt, paper) : layOutFull(receipt, paper)
}

function layOutFull(given: Receipt, paper: Paper): Block[] {
  const receipt = inWords(given)
  const page = new Page(paper)
  addLogo(page, receipt, paper)
  banners(page, receipt)
  issuer(page, receipt)
  page.rule()
  numbers(page, receipt)
  page.rule()
  goods(page, receipt)
  taxes(page, receipt)
  page.rule()
  proof(page, receipt)
  for (const line of receipt.footer) page.text(line, { align: 'center' })
  if (receipt.mode === 'test') {
    page.blank()
    testBanner(page, receipt)
  }
  return page.blocks
}

/** The texts on a receipt whose number is not limited. */
export function manyTexts({ items, document, language }: Receipt): string[] {
  const names = [...items, ...document.fees].map(({ name }) => name)
  return [...names, ...document.otherTaxes.map(({ name, rate }) => taxLabel(name, rate, language))]
}

function banners(page: Page, receipt: InWords<Receipt>): void {
  if (receipt.mode === 'test') {
    testBanner(page, receipt)
    page.blank()
  }
  if (receipt.copy === null) return
  page.text('KOPIJA', { align: 'center', bold: true, size: 'double' })
  if (receipt.copy !== 'uncounted') page.text(`${receipt.words.copy} ${receipt.copy}`, { align: 'center' })
  page.blank()
}

function testBanner(page: Page, { words }: InWords<Receipt>): void {
  page.text('TEST', { align: 'center', bold: true, size: 'double' })
  page.text(words.testNote, { align: 'center', bold: true })
}

function issuer(page: Page, receipt: InWords<Receipt>): void {
  const { document, words } = receipt
  const centred = { align: 'center' } as const
  for (const line of receipt.header) page.text(line, centred)
  if (receipt.header.length > 0) page.blank()
  if (page.shows(receipt.issuerName)) page.text(receipt.issuerName, { ...centred, bold: true })
  for (const line of receipt.issuerAddress) if (page.shows(line)) page.text(line, centred)
  page.text(`OIB: ${document.companyOib}`, centred)
  page.blank()
  page.text(`${words.premises}: ${document.premisesCode}`, centred)
  if (page.shows(receipt.premisesAddress ?? '')) page.text(receipt.premisesAddress ?? '', centred)
  if (page.shows(receipt.machine)) page.text(`${words.machine}: ${receipt.machine}`, centred)
}

function numbers(page: Page, { document, occurredAt, words }: InWords<Receipt>): void {
  page.field(words.receipt, printedNumber(document.number, document.premisesCode, document.registerMark))
  page.field(words.issuedAt, formatZagreb(occurredAt, 'dd.MM.yyyy HH:mm:ss'))
  if (document.paragonNumber !== null) page.field(words.paragon, document.paragonNumber)
  if (document.recipientOib !== null) page.field(words.buyer, document.recipientOib)
}

function goods(page: Page, receipt: InWords<Receipt>): void {
  const { document, language, items, words } = receipt
  if (items.length > 0) {
    page.pair(words.item, words.amount)
    for (const item of items) good(page, item, receipt)
    page.rule()
  }
  addStorno(page, receipt)
  page.bigPair(words.total, formatDecimal(document.total, language))
  page.pair(words.payment, words.payments[document.paymentMethod])
}

function good(
  page: Page,
  { name, quantity, unitPrice, amount }: ReceiptItem,
  { language, words }: InWords<Receipt>,
): void {
  page.text(page.shows(name) ? name : words.item)
  const times = `${formatDecimal(quantity, language)} x ${formatDecimal(unitPrice, language)}`
  page.pair(times, formatDecimal(amount, language), { indent: true })
}

function taxes(page: Page, { document, language, words }: InWords<Receipt>): void {
  const taxed = taxLines(document, language)
  const amounts = amountLines(document, language)
  const rows = taxed.map(({ label, base, amount }) => [
    label,
    formatDecimal(base, language),
    formatDecimal(amount, language),
  ])
  if (rows.length > 0 || amounts.length > 0) page.rule()
  if (rows.length > 0) page.table([words.tax, words.taxBase, words.taxAmount], rows)
  for (const { name, amount } of amounts) page.pair(name, formatDecimal(amount, language))
  if (!saysOutsideVat(document)) return
  page.rule()
  page.text(words.notInVat)
}

function proof(page: Page, { document, jir, qrPayload, words }: InWords<Receipt>): void {
  page.field(words.operator, document.operatorOib)
  page.field('ZKI', document.zki)
  if (jir !== null) page.field('JIR', jir)
  page.qr(qrPayload)
}
