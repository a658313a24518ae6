import { Readable } from 'node:stream'
import type { Table } from '../../reports/tables/cells.ts'
import { csvOf } from '../../reports/tables/csv.ts'

export interface GivenFile {
  name: string
  type: string
  /** Made while it is read; it stops when its reader does. */
  content: Readable
}

export const csvFile = (table: Table, name: string): GivenFile => ({
  name: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
  content: Readable.from(csvOf(table)),
})

export async function xlsxFile(tables: readonly Table[], name: string): Promise<GivenFile> {
  const { workbookOf } = await import('../../reports/tables/workbook.ts')
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: `${name}.xlsx`, type, content: Readable.from(workbookOf(tables)) }
}
