import { type Cents, centsOf } from '../../domain/money.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import { KINDS_BESIDE_VAT, type Part, partsOf } from '../../domain/sale/turnover.ts'
import { VAT_RATES } from '../../domain/sale/vat.ts'
import type { ExportedInvoice } from '../../fiscal/office/exported.ts'
import type { Cell, Column, Table } from '../../reports/tables/cells.ts'
import type { Texts } from './texts.ts'

/** From the highest one, as books do. */
const RATES = [...VAT_RATES].reverse()

/** Every invoice in a row, with what was charged at each rate of VAT in columns of its own. */
export function invoiceTable(t: Texts, slices: AsyncIterable<ExportedInvoice[]>): Table {
  return { title: t.sheets.invoices, columns: columnsOf(t), rows: rowsOf(t, slices) }
}

async function* rowsOf(t: Texts, slices: AsyncIterable<ExportedInvoice[]>): AsyncGenerator<Cell[][]> {
  for await (const slice of slices) yield slice.map((one) => rowOf(t, one))
}

function columnsOf({ columns: c }: Texts): Column[] {
  const money = (title: string) => ({ title, width: 13 })
  return [
    { title: c.number, width: 18 },
    { title: c.date, width: 12 },
    { title: c.time, width: 10 },
    { title: c.company, width: 28 },
    { title: c.oib, width: 13 },
    { title: c.premises, width: 14 },
    { title: c.device, width: 24 },
    { title: c.kind, width: 10 },
    { title: c.payment, width: 14 },
    money(c.total),
    ...RATES.flatMap((rate) => [money(c.base(written(rate))), money(c.vat(written(rate)))]),
    ...KINDS_BESIDE_VAT.map((kind) => ({ title: c[kind], width: 15 })),
    { title: c.status, width: 26 },
    { title: c.jir, width: 38 },
    { title: c.zki, width: 36 },
    { title: c.confirmedAt, width: 21 },
    { title: c.late, width: 12 },
    { title: c.operator, width: 14 },
    { title: c.recipient, width: 14 },
    { title: c.mode, width: 12 },
    { title: c.id, width: 40 },
  ]
}

function rowOf(t: Texts, { invoice, company, device }: ExportedInvoice): Cell[] {
  const { document, occurredAt, confirmedAt } = invoice
  const parts = partsOf(document)
  const total = centsOf(document.total)
  return [
    printedNumber(document.number, document.premisesCode, document.registerMark),
    { day: occurredAt },
    { clock: occurredAt },
    company.name,
    company.oib,
    document.premisesCode,
    device,
    total < 0n ? t.refund : t.sale,
    t.payments[document.paymentMethod],
    { money: total },
    ...RATES.flatMap((rate) => {
      const lines = parts.filter((part) => part.kind === 'vat' && part.rate === rate)
      return [sumOf(lines, 'base'), sumOf(lines, 'tax')]
    }),
    ...KINDS_BESIDE_VAT.map((kind) =>
      sumOf(
        parts.filter((part) => part.kind === kind),
        'amount',
      ),
    ),
    t.statuses[invoice.status],
    invoice.jir,
    document.zki,
    confirmedAt === null ? null : { moment: confirmedAt },
    invoice.lateDelivery ? t.yes : t.no,
    document.operatorOib,
    document.recipientOib,
    t.modes[invoice.mode],
    invoice.id,
  ]
}

/** Empty where there is no such part: a column of zeros would hide the others. */
function sumOf(parts: Part[], what: 'base' | 'tax' | 'amount'): Cell {
  return parts.length === 0 ? null : { money: parts.reduce<Cents>((sum, part) => sum + part[what], 0n) }
}

/** `25` of `25.00`. */
function written(rate: string): string {
  return rate.replace(/\.00$/, '')
}
