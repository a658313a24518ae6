import { startOfDay } from '../../domain/calendar-date.ts'
import type { PartLine, TurnoverKey, TurnoverLine } from '../../domain/sale/turnover.ts'
import type { Grouping, PeriodSums } from '../../fiscal/office/exported.ts'
import type { Issuer } from '../../fiscal/office/issuers.ts'
import { type ColumnOf, type Table, totalledTable } from '../../reports/tables/cells.ts'
import type { Texts } from './texts.ts'

/** What was sold in each period, by place and payment method. */
export function totalsTable(t: Texts, grouping: Grouping, sums: AsyncIterable<PeriodSums<TurnoverLine>>): Table {
  const { columns: c } = t
  const columns: ColumnOf<LineOf<TurnoverLine>>[] = [
    ...keyColumns(t, grouping),
    { title: c.invoices, width: 13, cell: ({ line }) => ({ count: line.invoices }), total: 'sum' },
    { title: c.total, width: 15, cell: ({ line }) => ({ money: line.total }), total: 'sum' },
  ]
  return totalledTable(t.sheets.totals, columns, linesOf(sums), byCompany(t))
}

/** The same by VAT rate, and whatever else was charged. */
export function partsTable(t: Texts, grouping: Grouping, sums: AsyncIterable<PeriodSums<PartLine>>): Table {
  const { columns: c } = t
  const nameOf = ({ kind, name }: PartLine) => (name === null ? t.parts[kind] : `${t.parts[kind]}: ${name}`)
  const columns: ColumnOf<LineOf<PartLine>>[] = [
    ...keyColumns(t, grouping),
    { title: c.part, width: 34, cell: ({ line }) => nameOf(line) },
    { title: c.rate, width: 10, cell: ({ line: { rate } }) => (rate === null ? null : { rate }) },
    // An invoice has several parts, and two taxes may have one base: counts and bases do not add up.
    { title: c.invoices, width: 13, cell: ({ line }) => ({ count: line.invoices }) },
    { title: c.baseOf, width: 15, cell: ({ line }) => ({ money: line.base }) },
    { title: c.taxOf, width: 15, cell: ({ line }) => ({ money: line.tax }), total: 'sum' },
    { title: c.amount, width: 15, cell: ({ line }) => ({ money: line.amount }), total: 'sum' },
  ]
  return totalledTable(t.sheets.parts, columns, linesOf(sums), byCompany(t))
}

const byCompany = (t: Texts) => ({
  total: t.total,
  groupOf: ({ companies, line }: LineOf<OrderedLine>) =>
    `${companies.get(line.companyId)?.name ?? ''} ${line.companyId}`,
})

/** At most this many rows are written at once, also of a day with thousands of premises. */
const SLICE = 200

interface LineOf<Line extends OrderedLine> extends Pick<PeriodSums<Line>, 'begins' | 'companies'> {
  line: Line
}

async function* linesOf<Line extends OrderedLine>(
  sums: AsyncIterable<PeriodSums<Line>>,
): AsyncGenerator<LineOf<Line>[]> {
  for await (const { lines, ...span } of sums) {
    const ordered = inOrder(lines, span)
    for (let start = 0; start < ordered.length; start += SLICE) {
      yield ordered.slice(start, start + SLICE).map((line) => ({ ...span, line }))
    }
  }
}

type OrderedLine = TurnoverKey & { kind?: string; rate?: string | null; name?: string | null }

function keyColumns(t: Texts, { period, per }: Grouping): ColumnOf<LineOf<OrderedLine>>[] {
  const { columns: c } = t
  const companyOf = ({ companies, line }: LineOf<OrderedLine>) => companies.get(line.companyId)
  const premises = { title: c.premises, width: 14, cell: ({ line }: LineOf<OrderedLine>) => line.premisesCode }
  return [
    period === 'day'
      ? { title: c.date, width: 12, cell: ({ begins }) => ({ day: startOfDay(begins) }) }
      : { title: c.month, width: 12, cell: ({ begins }) => ({ month: startOfDay(begins) }) },
    { title: c.company, width: 28, cell: (one) => companyOf(one)?.name ?? null, total: 'same' },
    { title: c.oib, width: 13, cell: (one) => companyOf(one)?.oib ?? null, total: 'same' },
    ...(per === 'premises' ? [premises] : []),
    { title: c.payment, width: 14, cell: ({ line }) => t.payments[line.paymentMethod] },
    { title: c.jirStatus, width: 14, cell: ({ line }) => (line.confirmed ? t.withJir : t.withoutJir) },
    { title: c.kind, width: 10, cell: ({ line }) => (line.refund ? t.refund : t.sale) },
  ]
}

const byText = new Intl.Collator('hr', { numeric: true }).compare

/** Sorts by company and premises; sales before refunds, invoices with a JIR first, VAT from its highest rate. */
function inOrder<T extends OrderedLine>(lines: T[], { companies }: { companies: ReadonlyMap<string, Issuer> }): T[] {
  const nameOf = ({ companyId }: T) => companies.get(companyId)?.name ?? companyId
  return lines.sort(
    (a, b) =>
      byText(nameOf(a), nameOf(b)) ||
      byText(a.premisesCode, b.premisesCode) ||
      byText(a.paymentMethod, b.paymentMethod) ||
      Number(b.confirmed) - Number(a.confirmed) ||
      Number(a.refund) - Number(b.refund) ||
      Number(b.kind === 'vat') - Number(a.kind === 'vat') ||
      Number(b.rate ?? -1) - Number(a.rate ?? -1) ||
      byText(`${a.kind} ${a.name}`, `${b.kind} ${b.name}`),
  )
}
