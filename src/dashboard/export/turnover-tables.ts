import { croatianDate, startOfDay } from '../../domain/calendar-date.ts'
import type { PartLine, TurnoverKey, TurnoverLine } from '../../domain/sale/turnover.ts'
import type { Grouping, PeriodSums } from '../../fiscal/office/exported.ts'
import type { Issuer } from '../../fiscal/office/issuers.ts'
import type { Cell, Column, Table } from '../../reports/tables/cells.ts'
import type { Texts } from './texts.ts'

/** What was sold in each period, by place and payment method. */
export function totalsTable(t: Texts, grouping: Grouping, sums: AsyncIterable<PeriodSums<TurnoverLine>>): Table {
  const { columns: c } = t
  const columns = [...keyColumns(t, grouping), { title: c.invoices, width: 13 }, { title: c.total, width: 15 }]
  return {
    title: t.sheets.totals,
    columns,
    rows: rowsOf(sums, (line, span) => [...keyCells(t, grouping, span, line), ...totalCells(line)]),
  }
}

/** The same by VAT rate, and whatever else was charged. */
export function partsTable(t: Texts, grouping: Grouping, sums: AsyncIterable<PeriodSums<PartLine>>): Table {
  const { columns: c } = t
  const columns = [
    ...keyColumns(t, grouping),
    { title: c.part, width: 34 },
    { title: c.rate, width: 10 },
    { title: c.invoices, width: 13 },
    { title: c.baseOf, width: 15 },
    { title: c.taxOf, width: 15 },
    { title: c.amount, width: 15 },
  ]
  return {
    title: t.sheets.parts,
    columns,
    rows: rowsOf(sums, (line, span) => [...keyCells(t, grouping, span, line), ...partCells(t, line)]),
  }
}

function totalCells({ invoices, total }: TurnoverLine): Cell[] {
  return [{ count: invoices }, { money: total }]
}

function partCells(t: Texts, { kind, name, rate, invoices, base, tax, amount }: PartLine): Cell[] {
  return [
    name === null ? t.parts[kind] : `${t.parts[kind]}: ${name}`,
    rate === null ? null : { rate },
    { count: invoices },
    { money: base },
    { money: tax },
    { money: amount },
  ]
}

/** At most this many rows are written at once, also of a day with thousands of premises. */
const SLICE = 200

async function* rowsOf<Line extends OrderedLine>(
  sums: AsyncIterable<PeriodSums<Line>>,
  toRow: (line: Line, span: Span) => Cell[],
): AsyncGenerator<Cell[][]> {
  for await (const { lines, ...span } of sums) {
    const ordered = inOrder(lines, span)
    for (let start = 0; start < ordered.length; start += SLICE) {
      yield ordered.slice(start, start + SLICE).map((line) => toRow(line, span))
    }
  }
}

type Span = Pick<PeriodSums<unknown>, 'begins' | 'companies'>
type OrderedLine = TurnoverKey & { kind?: string; rate?: string | null; name?: string | null }

function keyColumns({ columns: c }: Texts, { period, per }: Grouping): Column[] {
  return [
    { title: period === 'day' ? c.date : c.month, width: 12 },
    { title: c.company, width: 28 },
    { title: c.oib, width: 13 },
    ...(per === 'premises' ? [{ title: c.premises, width: 14 }] : []),
    { title: c.payment, width: 14 },
    { title: c.confirmed, width: 14 },
    { title: c.kind, width: 10 },
  ]
}

function keyCells(t: Texts, { period, per }: Grouping, { begins, companies }: Span, line: TurnoverKey): Cell[] {
  const company = companies.get(line.companyId)
  return [
    period === 'day' ? { day: startOfDay(begins) } : croatianDate(begins).slice('dd.'.length),
    company?.name ?? null,
    company?.oib ?? null,
    ...(per === 'premises' ? [line.premisesCode] : []),
    t.payments[line.paymentMethod],
    line.confirmed ? t.withJir : t.withoutJir,
    line.refund ? t.refund : t.sale,
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
