import { stringify } from 'csv-stringify/sync'
import { clockTime, croatianDate, dateAt } from '../../domain/calendar-date.ts'
import { formatMoney } from '../../domain/money.ts'
import { spreadsheetText } from '../../domain/texts/spreadsheet-text.ts'
import type { Cell, Table } from './cells.ts'

/** Excel takes a file for UTF-8 only when it says so. */
const BYTE_ORDER_MARK = '\ufeff'

/** As spreadsheets in Croatia read it: semicolons, decimal commas, `22.11.2026.`. */
export async function* csvOf({ columns, rows }: Table): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + write([columns.map(({ title }) => title)])
  for await (const slice of rows) yield write(slice.map((row) => row.map(textOf)))
}

function write(rows: string[][]): string {
  return stringify(rows, { delimiter: ';', record_delimiter: 'windows' })
}

function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return spreadsheetText(cell)
  if ('money' in cell) return formatMoney(cell.money).replace('.', ',')
  if ('count' in cell) return String(cell.count)
  if ('rate' in cell) return cell.rate.replace('.', ',')
  if ('day' in cell) return croatianDate(dateAt(cell.day))
  if ('month' in cell) return croatianDate(dateAt(cell.month)).slice('dd.'.length)
  if ('clock' in cell) return clockTime(cell.clock)
  return `${croatianDate(dateAt(cell.moment))} ${clockTime(cell.moment)}`
}
