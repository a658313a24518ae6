import { Readable } from 'node:stream'
import { type ClosingDocument, centsOfSum } from '../../domain/sale/closing.ts'
import { periodName, spanOf } from '../../domain/sale/closing-period.ts'
import type { PaymentMethod } from '../../domain/sale/sale.ts'
import { KINDS_BESIDE_VAT } from '../../domain/sale/turnover.ts'
import { VAT_RATES } from '../../domain/sale/vat.ts'
import { fileNamePart } from '../../domain/texts/file-name.ts'
import type { ClosedPeriod, ClosingsWanted } from '../../fiscal/closings/closings.ts'
import type { Cell, Column } from '../tables/cells.ts'
import { csvOf } from '../tables/csv.ts'
import type { Texts } from './texts.ts'

const METHODS: readonly PaymentMethod[] = ['G', 'K', 'T', 'O']
const RATES = [...VAT_RATES].reverse()

export type ClosedSlices = AsyncIterable<ClosedPeriod[]> | Iterable<ClosedPeriod[]>

/** Every closing in a row, for books: docs/bookkeeping.md has the columns. @param company where they are of one alone */
export function closingsCsv(slices: ClosedSlices, wanted: ClosingsWanted, t: Texts, company?: string) {
  const ofCompany = company === undefined ? [] : [fileNamePart(company)]
  const words = [t.fileName, ...ofCompany, ...(wanted.mode === 'test' ? ['test'] : []), periodName(wanted)]
  const table = { title: t.fileName, columns: columnsOf(t), rows: rowsOf(slices) }
  return { name: `${words.join('-')}.csv`, content: Readable.from(csvOf(table)) }
}

async function* rowsOf(slices: ClosedSlices): AsyncGenerator<Cell[][]> {
  for await (const slice of slices) yield slice.map(({ document }) => rowOf(document))
}

function columnsOf({ columns: c, payments, parts }: Texts): Column[] {
  const titles = [
    ...[c.from, c.to, c.company, c.oib, c.premises, c.number, c.invoices, c.first, c.last, c.total],
    ...METHODS.map((method) => payments[method]),
    ...RATES.flatMap((rate) => [c.base(shortRate(rate)), c.vat(shortRate(rate))]),
    ...KINDS_BESIDE_VAT.map((kind) => parts[kind]),
    ...[c.refunds, c.refundsTotal, c.withoutJir, c.withoutJirTotal, c.closedAt],
  ]
  return titles.map((title) => ({ title, width: 14 }))
}

function rowOf(closing: ClosingDocument): Cell[] {
  const { company, premisesCode, number, invoices, total, payments, parts, ranges, refunds, withoutJir } = closing
  const { from, to } = spanOf(closing)
  const vat = (rate: string) => parts.find((part) => part.kind === 'vat' && part.rate === rate)
  const paid = (method: PaymentMethod) => payments.find((one) => one.method === method)
  return [
    ...[
      { day: from },
      { day: to - 1 },
      company.name,
      company.oib,
      premisesCode,
      { count: number },
      { count: invoices },
    ],
    ...[ranges[0]?.first ?? null, ranges.at(-1)?.last ?? null, money(total)],
    ...METHODS.map((method) => money(paid(method)?.total)),
    ...RATES.flatMap((rate) => [money(vat(rate)?.base), money(vat(rate)?.tax)]),
    ...KINDS_BESIDE_VAT.map((kind) => added(parts.filter((part) => part.kind === kind).map(({ amount }) => amount))),
    ...[{ count: refunds.invoices }, money(refunds.total), { count: withoutJir.invoices }, money(withoutJir.total)],
    { moment: closing.closedAt },
  ]
}

/** Empty where there is none: a column of zeros would hide the others. */
const money = (amount: string | undefined): Cell => (amount === undefined ? null : { money: centsOfSum(amount) })
const added = (amounts: readonly string[]): Cell =>
  amounts.length === 0 ? null : { money: amounts.reduce((sum, amount) => sum + centsOfSum(amount), 0n) }

/** `25` of `25.00`. */
const shortRate = (rate: string) => rate.replace(/\.00$/, '')
