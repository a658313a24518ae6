import { Option } from 'commander'
import { spreadsheetText } from '../../domain/texts/spreadsheet-text.ts'

/** A value of a cell: a text as it is stored, an ISO 8601 time, a figure, or nothing. */
type Value = string | number | boolean | null | undefined

/** The columns of a CSV file by their names, in their order. */
export type Sheet<T> = Record<string, (row: T) => Value>

/** Columns that are named as the fields that they show. */
export const columnsOf = <T extends Record<K, Value>, K extends string>(...names: K[]): Sheet<T> =>
  Object.fromEntries(names.map((name) => [name, (row: T) => row[name]]))

export const csvOption = () => new Option('--csv', 'print all of them as CSV: commas, ISO 8601 times, decimal points')

/** Numbers with a sign are no formulas. */
const NUMBER = /^-?\d+(\.\d+)?$/

/** Rows in RFC 4180. Texts from outside are made harmless for spreadsheets. */
export async function csvRows<T>(sheet: Sheet<T>, data: readonly T[]): Promise<string> {
  const cells = data.map((row) => Object.values(sheet).map((cell) => textOf(cell(row))))
  return write(cells)
}

export function csvHead(sheet: Sheet<never>): Promise<string> {
  return write([Object.keys(sheet)])
}

function textOf(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  return NUMBER.test(text) ? text : spreadsheetText(text)
}

async function write(rows: string[][]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  return stringify(rows, { record_delimiter: 'windows' })
}
