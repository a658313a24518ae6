import { type Cents, centsOf } from '../money.ts'
import type { FiscalDocument, PaymentMethod } from './sale.ts'

/** `rest` is the amount that no other part explains. */
export const KINDS_BESIDE_VAT = [
  'consumption_tax',
  'other_tax',
  'exempt',
  'non_taxable',
  'margin',
  'fee',
  'outside_vat',
  'rest',
] as const
export const PART_KINDS = ['vat', ...KINDS_BESIDE_VAT] as const
export type PartKind = (typeof PART_KINDS)[number]

export interface Part {
  kind: PartKind
  /** The percentage of a tax, such as `25.00`; else null. */
  rate: string | null
  /** The name of a fee or other tax; else null. */
  name: string | null
  base: Cents
  tax: Cents
  amount: Cents
}

/** They add up to the total. */
export function partsOf(document: FiscalDocument): Part[] {
  const parts: Part[] = [
    ...document.vat.map(({ rate, ...line }) => {
      const [base, tax] = [cents(line.base), cents(line.amount)]
      return { kind: 'vat' as const, rate, name: null, base, tax, amount: base + tax }
    }),
    // Its base is already part of a VAT base.
    ...document.consumptionTax.map((line) => ({ kind: 'consumption_tax' as const, name: null, ...taxOn(line) })),
    ...document.otherTaxes.map(({ name, ...line }) => ({ kind: 'other_tax' as const, name, ...taxOn(line) })),
    ...document.fees.map(({ name, amount }) => untaxed('fee', cents(amount), name)),
    untaxed('exempt', cents(document.vatExemptAmount)),
    untaxed('non_taxable', cents(document.nonTaxableAmount)),
    untaxed('margin', cents(document.marginAmount)),
  ]
  const rest = cents(document.total) - parts.reduce((sum, { amount }) => sum + amount, 0n)
  const kind = document.vatRegistered || document.vat.length > 0 ? 'rest' : 'outside_vat'
  return [...parts, untaxed(kind, rest)].filter(({ base, tax, amount }) => base !== 0n || tax !== 0n || amount !== 0n)
}

function taxOn({ rate, base, amount }: { rate: string; base: string; amount: string }) {
  return { rate, base: cents(base), tax: cents(amount), amount: cents(amount) }
}

function untaxed(kind: PartKind, amount: Cents, name: string | null = null): Part {
  return { kind, rate: null, name, base: amount, tax: 0n, amount }
}

function cents(money: string | null): Cents {
  return money === null ? 0n : centsOf(money)
}

/** Each combination has its own sums. */
export interface TurnoverKey {
  companyId: string
  premisesCode: string
  paymentMethod: PaymentMethod
  /** Whether the invoice has a JIR. */
  confirmed: boolean
  /** A storno: the total is negative. */
  refund: boolean
}

export interface TurnoverLine extends TurnoverKey {
  invoices: number
  total: Cents
}

export interface PartLine extends TurnoverKey, Part {
  /** How many invoices have such a part. */
  invoices: number
}

export interface Turnover {
  totals: TurnoverLine[]
  /** Their amounts add up to the totals of the same key. */
  parts: PartLine[]
}

export class TurnoverSum {
  readonly #totals = new Map<string, TurnoverLine>()
  readonly #parts = new Map<string, PartLine>()

  add(companyId: string, document: FiscalDocument, confirmed: boolean): void {
    const { premisesCode, paymentMethod } = document
    const total = cents(document.total)
    const key: TurnoverKey = { companyId, premisesCode, paymentMethod, confirmed, refund: total < 0n }
    const id = Object.values(key).join(' ')
    const sum = found(this.#totals, id, () => ({ ...key, invoices: 0, total: 0n }))
    sum.invoices++
    sum.total += total
    const counted = new Set<PartLine>()
    for (const part of partsOf(document)) {
      const { kind, rate, name } = part
      const line = found(this.#parts, `${id} ${kind} ${rate} ${name}`, () => {
        return { ...key, kind, rate, name, base: 0n, tax: 0n, amount: 0n, invoices: 0 }
      })
      line.base += part.base
      line.tax += part.tax
      line.amount += part.amount
      counted.add(line)
    }
    for (const line of counted) line.invoices++
  }

  /** In the order of first occurrence. */
  sums(): Turnover {
    return { totals: [...this.#totals.values()], parts: [...this.#parts.values()] }
  }
}

function found<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known) return known
  const made = make()
  map.set(key, made)
  return made
}
