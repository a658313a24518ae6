import type { Receipt, ReceiptItem } from '../../domain/sale/receipt.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import { formatZagreb } from '../../domain/zagreb.ts'
import type { Block } from './blocks.ts'
import { addLogo, addStorno, amountLines, saysOutsideVat, taxLines } from './common-parts.ts'
import { Page } from './page.ts'
import type { Paper } from './paper.ts'
import { formatDecimal, type InWords, inWords } from './words.ts'
import { wrap } from './wrap-lines.ts'

/** Lines beside the QR code have room for half a JIR with its label. */
const LEAST_BESIDE = 24
/** What the law wants blank above and below a code, and a little more. */
const QUIET_MM = 2.5
/** Between the parts, where paper is not too short of it. */
const GAP_MM = 1.5
const CENTRED = { align: 'center' } as const
const SMALL = { size: 'small' } as const

/** The receipt on as little paper as the law allows: all that the full one says, in fewer lines and smaller letters. */
export function layOutCompact(given: Receipt, paper: Paper): Block[] {
  const receipt = inWords(given)
  const { document, footer, items, language, mode, qrPayload, words } = receipt
  const page = new Page(paper, { tight: true })
  const isWide = paper.besideQr(qrPayload) >= LEAST_BESIDE
  const hasSmallFont = paper.characters.small < paper.characters.normal
  const gap = () => {
    if (isWide || hasSmallFont) page.gap(GAP_MM)
  }
  addLogo(page, receipt, paper)
  banners(page, receipt)
  if (page.blocks.length > 0) gap()
  issuer(page, receipt)
  gap()
  for (const item of items) good(page, item, receipt)
  if (items.length > 0) gap()
  addStorno(page, receipt)
  page.total(words.total, formatDecimal(document.total, language))
  taxesAndPayment(page, receipt)
  if (isWide) proofBeside(page, receipt, paper)
  else {
    gap()
    proofAbove(page, receipt)
  }
  if (footer.length > 0 || mode === 'test') page.gap(isWide ? QUIET_MM : GAP_MM)
  for (const line of footer) page.text(line, CENTRED)
  if (footer.length > 0 && mode === 'test') gap()
  if (mode === 'test') testBanner(page, receipt)
  return page.blocks
}

function banners(page: Page, receipt: InWords<Receipt>): void {
  if (receipt.mode === 'test') testBanner(page, receipt)
  if (receipt.copy === null) return
  page.banner('KOPIJA', receipt.copy === 'uncounted' ? undefined : `${receipt.words.compact.copy} ${receipt.copy}`)
}

function testBanner(page: Page, { words }: InWords<Receipt>): void {
  page.banner('TEST', words.testNote, true)
}

function issuer(page: Page, receipt: InWords<Receipt>): void {
  const { document, header, words } = receipt
  for (const line of header) page.text(line, CENTRED)
  if (page.shows(receipt.issuerName)) page.text(receipt.issuerName, { ...CENTRED, bold: true })
  // Lines end at the commas of addresses and labels, too.
  const parts = (...texts: string[]) => texts.filter((text) => page.shows(text)).flatMap((text) => text.split(', '))
  const style = { ...CENTRED, ...SMALL }
  page.joined([...parts(...receipt.issuerAddress), `OIB: ${document.companyOib}`], style)
  const machine = page.shows(receipt.machine) ? `${words.machine}: ${receipt.machine}` : ''
  const premises = `${words.premises} ${document.premisesCode}`
  page.joined(parts(premises, receipt.premisesAddress ?? '', machine), style)
}

/** `2 x Kava po 1,50`; the price of one is left out where it says nothing new, and has a second line if it is long. */
function good(
  page: Page,
  { name, quantity, unitPrice, amount }: ReceiptItem,
  { language, words }: InWords<Receipt>,
): void {
  const counted = `${formatDecimal(quantity, language)} x ${page.shows(name) ? name : words.item}`
  const end = formatDecimal(amount, language)
  const each = `${words.compact.each} ${formatDecimal(unitPrice, language)}`
  if (Number(quantity) === 1 && unitPrice === amount) page.pair(counted, end)
  else if (page.isOneLine(`${counted} ${each} ${end}`)) page.pair(`${counted} ${each}`, end)
  else {
    page.text(counted)
    page.pair(each, end, { indent: true })
  }
}

/** One tax is a line of its own, with the payment on the same line if it fits; several are lines with amounts below each other. */
function taxesAndPayment(page: Page, { document, language, words }: InWords<Receipt>): void {
  const decimal = (amount: string) => formatDecimal(amount, language)
  const payment = `${words.compact.payment}: ${words.payments[document.paymentMethod]}`
  const taxes = taxLines(document, language).map(({ label, base, amount }) => ({
    label: `${label} ${words.compact.of} ${decimal(base)}`,
    amount: decimal(amount),
  }))
  const amounts = amountLines(document, language)
  const [tax] = taxes
  const single = tax && taxes.length === 1 && amounts.length === 0 ? `${tax.label}: ${tax.amount}` : undefined
  if (single !== undefined && page.isOneLine(`${single}  ${payment}`)) page.pair(single, payment)
  else {
    if (single !== undefined && page.isOneLine(single)) page.text(single)
    else for (const { label, amount } of taxes) page.pair(label, amount)
    for (const { name, amount } of amounts) page.pair(name, decimal(amount))
    page.text(payment, page.isOneLine(payment) ? {} : SMALL)
  }
  if (saysOutsideVat(document)) page.text(words.notInVat, SMALL)
}

function proofBeside(page: Page, receipt: InWords<Receipt>, paper: Paper): void {
  const { document, jir, qrPayload, words } = receipt
  const [number = '', ...others] = numbers(receipt)
  const texts = [
    ...others,
    ...(jir === null ? [] : halves('JIR', jir)),
    ...halves('ZKI', document.zki),
    `${words.compact.operator}: ${document.operatorOib}`,
    ...words.scan,
  ]
  const width = paper.besideQr(qrPayload)
  const lines = (text: string) => (text.startsWith(INDENT) ? [text] : wrap(paper.letters(text), width))
  page.gap(QUIET_MM)
  page.tightQr(qrPayload, [
    ...lines(number).map((text) => ({ text, bold: true })),
    ...texts.flatMap(lines).map((text) => ({ text, bold: false })),
  ])
}

/** The receipt number, the moment of the sale, and what only some sales have. */
function numbers({ document, occurredAt, words }: InWords<Receipt>): string[] {
  return [
    `${words.receipt}: ${printedNumber(document.number, document.premisesCode, document.registerMark)}`,
    formatZagreb(occurredAt, 'dd.MM.yyyy HH:mm:ss'),
    ...(document.paragonNumber === null ? [] : [`${words.paragon}: ${document.paragonNumber}`]),
    ...(document.recipientOib === null ? [] : [`${words.buyer}: ${document.recipientOib}`]),
  ]
}

const INDENT = '     '

/** In two lines of equal length, after a hyphen if there is one. */
function halves(label: string, value: string): string[] {
  const hyphen = value.indexOf('-', value.length / 2)
  const at = hyphen === -1 ? value.length / 2 : hyphen + 1
  return [`${label}: ${value.slice(0, at)}`, INDENT + value.slice(at)]
}

function proofAbove(page: Page, receipt: InWords<Receipt>): void {
  const { document, jir, qrPayload, words } = receipt
  const [number = '', moment = '', ...others] = numbers(receipt)
  page.text(number, { bold: true })
  page.text(moment)
  for (const text of others) page.text(text)
  for (const [label, value] of [
    ['JIR', jir],
    ['ZKI', document.zki],
  ] as const) {
    if (value === null) continue
    if (page.isOneLine(`${label}: ${value}`, 'small')) page.text(`${label}: ${value}`, SMALL)
    else for (const half of halves(label, value)) page.composed(half)
  }
  page.text(`${words.compact.operator}: ${document.operatorOib}`, SMALL)
  page.gap(QUIET_MM)
  page.tightQr(qrPayload, [])
  page.gap(QUIET_MM)
  for (const text of words.scan) page.text(text, CENTRED)
}
