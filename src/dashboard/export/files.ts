import { Readable } from 'node:stream'
import { isoDate } from '../../domain/calendar-date.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { ExportUseCases, Grouping } from '../../fiscal/office/export.ts'
import type { Table } from '../../reports/tables/cells.ts'
import { csvOf } from '../../reports/tables/csv.ts'
import type { Choice } from './choice.ts'
import { invoiceTable } from './invoice-table.ts'
import type { Texts } from './texts.ts'
import { partsTable, totalsTable } from './turnover-tables.ts'

/** The files that there are, by the ends of their addresses. */
export const FILES = ['invoices.csv', 'invoices.xlsx', 'turnover.csv', 'tax.csv', 'totals.xlsx'] as const
export type FileName = (typeof FILES)[number]

export interface GivenFile {
  name: string
  type: string
  /** Made while it is read; it stops when its reader does. */
  content: Readable
}

const CSV = 'text/csv; charset=utf-8'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

interface Asking {
  exports: ExportUseCases
  principal: Principal
  choice: Choice
  /** Of totals. */
  grouping: Grouping
  t: Texts
  /** Told how many more invoices were written. */
  written(invoices: number): void
}

export async function fileOf(
  file: FileName,
  { exports, principal, choice, grouping, t, written }: Asking,
): Promise<GivenFile> {
  const { wanted, first, last } = choice
  const invoices = () => invoiceTable(t, counted(exports.invoices(principal, wanted), written))
  const totals = () => totalsTable(t, grouping, exports.totals(principal, wanted, grouping))
  const parts = () => partsTable(t, grouping, exports.parts(principal, wanted, grouping))
  const named = (...words: string[]) => [...words, ...testWord(wanted.mode, t), isoDate(first), isoDate(last)].join('-')
  const csv = (table: Table, name: string): GivenFile => ({
    name: `${name}.csv`,
    type: CSV,
    content: Readable.from(csvOf(table)),
  })
  const xlsx = async (tables: Table[], name: string): Promise<GivenFile> => {
    const { workbookOf } = await import('../../reports/tables/workbook.ts')
    return { name: `${name}.xlsx`, type: XLSX, content: Readable.from(workbookOf(tables)) }
  }
  const { files } = t
  const { period } = grouping
  switch (file) {
    case 'invoices.csv':
      return csv(invoices(), named(files.invoices))
    case 'invoices.xlsx':
      return xlsx([invoices()], named(files.invoices))
    case 'turnover.csv':
      return csv(totals(), named(files.totals, files[period]))
    case 'tax.csv':
      return csv(parts(), named(files.parts, files[period]))
    case 'totals.xlsx':
      return xlsx([totals(), parts()], named(files.both, files[period]))
  }
}

const testWord = (mode: Choice['values']['mode'], { files }: Texts) => (mode === 'test' ? [files.test] : [])

async function* counted<T>(slices: AsyncIterable<T[]>, written: (count: number) => void): AsyncGenerator<T[]> {
  for await (const slice of slices) {
    yield slice
    written(slice.length)
  }
}
