import { isoDate } from '../../domain/calendar-date.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { ExportUseCases } from '../../fiscal/office/export.ts'
import type { Grouping } from '../../fiscal/office/exported.ts'
import type { Choice } from './choice.ts'
import { csvFile, type GivenFile, xlsxFile } from './given-file.ts'
import { invoiceTable } from './invoice-table.ts'
import type { Texts } from './texts.ts'
import { partsTable, totalsTable } from './turnover-tables.ts'

/** The files that there are, by the ends of their addresses. */
export const FILES = ['invoices.csv', 'invoices.xlsx', 'turnover.csv', 'tax.csv', 'totals.xlsx'] as const
export type FileName = (typeof FILES)[number]

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
  const { files } = t
  const { period } = grouping
  switch (file) {
    case 'invoices.csv':
      return csvFile(invoices(), named(files.invoices))
    case 'invoices.xlsx':
      return xlsxFile([invoices()], named(files.invoices))
    case 'turnover.csv':
      return csvFile(totals(), named(files.totals, files[period]))
    case 'tax.csv':
      return csvFile(parts(), named(files.parts, files[period]))
    case 'totals.xlsx':
      return xlsxFile([totals(), parts()], named(files.both, files[period]))
  }
}

const testWord = (mode: Choice['values']['mode'], { files }: Texts) => (mode === 'test' ? [files.test] : [])

async function* counted<T>(slices: AsyncIterable<T[]>, written: (count: number) => void): AsyncGenerator<T[]> {
  for await (const slice of slices) {
    yield slice
    written(slice.length)
  }
}
