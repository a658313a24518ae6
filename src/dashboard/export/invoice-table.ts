import { type Cents, centsOf } from '../../domain/money.ts'
import { KINDS_BESIDE_VAT, type Part, partsOf } from '../../domain/sale/turnover.ts'
import { VAT_RATES } from '../../domain/sale/vat.ts'
import type { ExportedInvoice } from '../../fiscal/office/exported.ts'
import { type Cell, type ColumnOf, eachOf, momentCell, type Table, tableOf } from '../../reports/tables/cells.ts'
import { numberOf } from '../invoices/list-view.ts'
import type { Texts } from './texts.ts'

/** From the highest one, as books do. */
const RATES = [...VAT_RATES].reverse()

/** Every invoice in a row, with what was charged at each rate of VAT in columns of its own. */
export function invoiceTable(t: Texts, slices: AsyncIterable<ExportedInvoice[]>): Table {
  const rows = eachOf(slices, (one) => ({ ...one, parts: partsOf(one.invoice.document) }))
  return tableOf(t.sheets.invoices, columnsOf(t), rows)
}

type Row = ExportedInvoice & { parts: Part[] }

function columnsOf(t: Texts): ColumnOf<Row>[] {
  const { columns: c } = t
  return [
    { title: c.number, width: 18, cell: ({ invoice }) => numberOf(invoice) },
    { title: c.date, width: 12, cell: ({ invoice }) => ({ day: invoice.occurredAt }) },
    { title: c.time, width: 10, cell: ({ invoice }) => ({ clock: invoice.occurredAt }) },
    { title: c.company, width: 28, cell: ({ company }) => company.name },
    { title: c.oib, width: 13, cell: ({ company }) => company.oib },
    { title: c.premises, width: 14, cell: ({ invoice }) => invoice.document.premisesCode },
    { title: c.device, width: 24, cell: ({ device }) => device },
    { title: c.kind, width: 10, cell: ({ invoice }) => (totalOf(invoice) < 0n ? t.refund : t.sale) },
    { title: c.payment, width: 14, cell: ({ invoice }) => t.payments[invoice.document.paymentMethod] },
    { title: c.total, width: 13, cell: ({ invoice }) => ({ money: totalOf(invoice) }) },
    ...RATES.flatMap((rate) => {
      const isMeant = (part: Part) => part.kind === 'vat' && part.rate === rate
      return [
        { title: c.base(written(rate)), width: 13, cell: ({ parts }: Row) => sumOf(parts.filter(isMeant), 'base') },
        { title: c.vat(written(rate)), width: 13, cell: ({ parts }: Row) => sumOf(parts.filter(isMeant), 'tax') },
      ]
    }),
    ...KINDS_BESIDE_VAT.map((kind) => {
      const isMeant = (part: Part) => part.kind === kind
      return { title: c[kind], width: 15, cell: ({ parts }: Row) => sumOf(parts.filter(isMeant), 'amount') }
    }),
    { title: c.status, width: 26, cell: ({ invoice }) => t.statuses[invoice.status] },
    { title: 'JIR', width: 38, cell: ({ invoice }) => invoice.jir },
    { title: 'ZKI', width: 36, cell: ({ invoice }) => invoice.document.zki },
    { title: c.confirmedAt, width: 21, cell: ({ invoice }) => momentCell(invoice.confirmedAt) },
    { title: c.late, width: 12, cell: ({ invoice }) => (invoice.lateDelivery ? t.yes : t.no) },
    { title: c.operator, width: 14, cell: ({ invoice }) => invoice.document.operatorOib },
    { title: c.recipient, width: 14, cell: ({ invoice }) => invoice.document.recipientOib },
    { title: c.mode, width: 12, cell: ({ invoice }) => t.modes[invoice.mode] },
    { title: c.id, width: 40, cell: ({ invoice }) => invoice.id },
    {
      title: c.correctedPayment,
      width: 14,
      cell: ({ invoice: { document }, corrected: { paymentMethod } }) =>
        paymentMethod === document.paymentMethod ? null : t.payments[paymentMethod],
    },
    {
      title: c.correctedRecipient,
      width: 14,
      cell: ({ invoice: { document }, corrected: { recipientOib } }) =>
        recipientOib === document.recipientOib ? null : recipientOib,
    },
  ]
}

const totalOf = ({ document }: ExportedInvoice['invoice']) => centsOf(document.total)

/** Empty where there is no such part: a column of zeros would hide the others. */
function sumOf(parts: Part[], what: 'base' | 'tax' | 'amount'): Cell {
  return parts.length === 0 ? null : { money: parts.reduce<Cents>((sum, part) => sum + part[what], 0n) }
}

/** `25` of `25.00`. */
const written = (rate: string): string => rate.replace(/\.00$/, '')
