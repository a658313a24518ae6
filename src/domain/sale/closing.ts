import { createHash } from 'node:crypto'
import type { EpochMs } from '../instant.ts'
import { type Cents, formatMoney } from '../money.ts'
import type { ClosingPeriod } from './closing-period.ts'
import type { JournalEntry } from './journal.ts'
import type { ReceiptStyle } from './receipt.ts'
import { higherReceiptNumber, printedNumber, sequenceRegister } from './receipt-number.ts'
import type { FiscalDocument, Mode, PaymentMethod } from './sale.ts'
import { PART_KINDS, type PartKind, TurnoverSum } from './turnover.ts'

interface Count {
  invoices: number
  total: string
}

/** What is charged at one rate, or for one thing; `name` is null where more names than `MOST_NAMES` come together. */
export interface ClosingPart {
  kind: PartKind
  rate: string | null
  name: string | null
  invoices: number
  base: string
  tax: string
  amount: string
}

/** The sums of a closing. Amounts are written as in all documents. */
export interface ClosingSums extends Count {
  /** By payment method: cash, card, other, bank transfer. */
  payments: ({ method: PaymentMethod } & Count)[]
  refunds: Count
  /** Their amounts add up to the total. VAT comes first, from its highest rate. */
  parts: ClosingPart[]
  /** First and last number of each sequence; at most `MOST_RANGES`. */
  ranges: { first: string; last: string; invoices: number }[]
  /** What had no JIR when it was closed; at most `MOST_NUMBERS` numbers. */
  withoutJir: Count & { numbers: string[] }
  /** SHA-256 over id and ZKI of each invoice, in order. */
  fingerprint: string
}

/** What does not follow from the invoices: it is as it was at that moment. */
export interface ClosingFacts extends ClosingPeriod {
  /** 1, and from 2 for a supplementary closing: what was not yet here before. */
  number: number
  mode: Mode
  company: { id: string; name: string; oib: string }
  premisesCode: string
  closedAt: EpochMs
  /** The id of a user; `operator` on the admin socket. */
  closedBy: string
  /** Who sells there, as far as a central server had heard of it; null where this database sells. */
  gateway: { name: string; seenAt: EpochMs | null; waiting: number | null } | null
}

export type ClosingDocument = ClosingFacts & ClosingSums

/** Names of fees and taxes come from outside: the others are one line. */
const MOST_NAMES = 50
const MOST_RANGES = 100
const MOST_NUMBERS = 100

/** An invoice, as it counts for a closing. */
export type ClosedInvoice = Pick<JournalEntry, 'id' | 'year' | 'document'> & { hasJir: boolean }

/** The text that is stored: the same facts and the same invoices give the same bytes. */
export function closingText(facts: ClosingFacts, sums: ClosingSums): string {
  const { unit, starts, number, mode, company, premisesCode, closedAt, closedBy, gateway } = facts
  const { id, name, oib } = company
  const said = { unit, starts, number, mode, company: { id, name, oib }, premisesCode, closedAt, closedBy, gateway }
  return JSON.stringify({ ...said, ...sums } satisfies ClosingDocument)
}

export class ClosingSum {
  readonly #sum = new TurnoverSum()
  readonly #ranges = new Map<string, { first: FiscalDocument; last: FiscalDocument; invoices: number }>()
  readonly #hash = createHash('sha256')
  readonly #numbers: string[] = []

  add({ id, year, document, hasJir }: ClosedInvoice): void {
    this.#sum.add('', document, hasJir)
    this.#hash.update(`${id} ${document.zki}\n`)
    if (!hasJir && this.#numbers.length < MOST_NUMBERS) this.#numbers.push(numberOf(document))
    const key = `${year} ${sequenceRegister(document)}`
    const range = this.#ranges.get(key)
    if (!range) {
      this.#ranges.set(key, { first: document, last: document, invoices: 1 })
      return
    }
    range.invoices++
    const isHigher = higherReceiptNumber(range.last.number, document.number) === document.number
    if (isHigher) range.last = document
    else if (higherReceiptNumber(range.first.number, document.number) === range.first.number) range.first = document
  }

  /** Adds nothing after this. */
  sums(): ClosingSums {
    const { totals, parts } = this.#sum.sums()
    const methods = [...new Set(totals.map(({ paymentMethod }) => paymentMethod))].sort()
    return {
      ...countOf(totals),
      payments: methods.map((method) => ({
        method,
        ...countOf(totals.filter(({ paymentMethod }) => paymentMethod === method)),
      })),
      refunds: countOf(totals.filter(({ refund }) => refund)),
      parts: mergedParts(parts),
      ranges: [...this.#ranges]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, MOST_RANGES)
        .map(([, { first, last, invoices }]) => ({ first: numberOf(first), last: numberOf(last), invoices })),
      withoutJir: { ...countOf(totals.filter(({ confirmed }) => !confirmed)), numbers: this.#numbers },
      fingerprint: this.#hash.digest('hex'),
    }
  }
}

/** Such as the closings of all premises; the sum has no first and last numbers. */
export function addClosings(closings: Iterable<ClosingSums>): Omit<ClosingSums, 'ranges' | 'fingerprint'> {
  const [all, refunds, withoutJir] = [new Adding(), new Adding(), new Adding()]
  const payments = new Map<PaymentMethod, Adding>()
  const parts: AddedPart[] = []
  const numbers: string[] = []
  for (const closing of closings) {
    all.add(closing)
    refunds.add(closing.refunds)
    withoutJir.add(closing.withoutJir)
    numbers.push(...closing.withoutJir.numbers.slice(0, MOST_NUMBERS - numbers.length))
    for (const { method, ...count } of closing.payments) {
      payments.set(method, (payments.get(method) ?? new Adding()).add(count))
    }
    for (const { base, tax, amount, ...part } of closing.parts) {
      parts.push({ ...part, base: centsOfSum(base), tax: centsOfSum(tax), amount: centsOfSum(amount) })
    }
  }
  const byMethod = [...payments].sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    ...all.count(),
    payments: byMethod.map(([method, added]) => ({ method, ...added.count() })),
    refunds: refunds.count(),
    parts: mergedParts(parts),
    withoutJir: { ...withoutJir.count(), numbers },
  }
}

class Adding {
  #invoices = 0
  #total: Cents = 0n

  add({ invoices, total }: Count): this {
    this.#invoices += invoices
    this.#total += centsOfSum(total)
    return this
  }

  count(): Count {
    return { invoices: this.#invoices, total: formatMoney(this.#total) }
  }
}

function countOf(lines: readonly { invoices: number; total: Cents }[]): Count {
  const added = new Adding()
  for (const { invoices, total } of lines) added.add({ invoices, total: formatMoney(total) })
  return added.count()
}

type AddedPart = Pick<ClosingPart, 'kind' | 'rate' | 'name' | 'invoices'> & Record<'base' | 'tax' | 'amount', Cents>

function mergedParts(lines: readonly AddedPart[]): ClosingPart[] {
  const names = [...new Set(lines.flatMap(({ name }) => (name === null ? [] : [name])))].sort()
  const kept = new Set(names.slice(0, MOST_NAMES))
  const merged = new Map<string, AddedPart>()
  for (const { kind, rate, invoices, base, tax, amount, ...line } of lines) {
    const name = line.name !== null && kept.has(line.name) ? line.name : null
    const key = JSON.stringify([kind, rate, name])
    const part = merged.get(key) ?? { kind, rate, name, invoices: 0, base: 0n, tax: 0n, amount: 0n }
    part.invoices += invoices
    part.base += base
    part.tax += tax
    part.amount += amount
    merged.set(key, part)
  }
  return [...merged.values()].sort(byKind).map(({ base, tax, amount, ...part }) => ({
    ...part,
    base: formatMoney(base),
    tax: formatMoney(tax),
    amount: formatMoney(amount),
  }))
}

function byKind(one: AddedPart, other: AddedPart): number {
  return (
    PART_KINDS.indexOf(one.kind) - PART_KINDS.indexOf(other.kind) ||
    Number(other.rate ?? -1) - Number(one.rate ?? -1) ||
    ((one.name ?? '') < (other.name ?? '') ? -1 : 1)
  )
}

const numberOf = ({ number, premisesCode, registerMark }: FiscalDocument) =>
  printedNumber(number, premisesCode, registerMark)

/** Of an amount as `formatMoney` writes it; a sum may have more digits than an amount of an invoice. */
export const centsOfSum = (money: string): Cents => BigInt(money.replace('.', ''))

/** A closing as it goes on paper, with the header and in the language of the receipts of its company. */
export interface ClosingPaper extends Pick<ReceiptStyle, 'header' | 'language'> {
  closing: ClosingDocument
}
