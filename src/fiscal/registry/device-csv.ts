import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { attempt } from '../../domain/attempt.ts'
import { FiskError, invalidRequest, type Reason } from '../../domain/errors.ts'
import { duplicateKey } from '../../domain/field-path.ts'
import { isTooDeep } from '../../domain/json-limits.ts'
import { cutText } from '../../domain/texts/cut-text.ts'
import { tidyName } from '../../domain/texts/name.ts'
import { IMPORT_LINES, IMPORT_ROWS, isWorkbook } from '../../domain/upload.ts'
import type { JsonObject } from '../ports/model.ts'
import type { DeviceTable, ImportRow, WrongRow } from './device-import.ts'

const SLICE_BYTES = 4096

/** What the header of a CSV file about devices has. */
export interface CsvHeader<F extends string> {
  /** How the column of each field may also be called, in lower case without accents, blanks, `-` and `_`; the first one there counts. */
  columns: Record<F, readonly string[]>
  /** One of each of these must be there. */
  mandatory: readonly (readonly F[])[]
  lacks: Reason
  /** For a file without a header; `lacks` when left out. */
  empty?: Reason
}

/** How the columns that name a device may also be called. */
export const DEVICE_COLUMNS = {
  label: ['naziv', 'name', 'nazivuredaja', 'uredaj', 'device'],
  premises_code: ['premises', 'prostor', 'poslovniprostor', 'oznakaposlovnogprostora'],
} as const
export const ISU_COLUMNS = ['isu', 'isuno', 'isubroj'] as const

const HEADER = {
  columns: { ...DEVICE_COLUMNS, isu_number: ISU_COLUMNS, device_config: [], company_oib: [] },
  mandatory: [['label'], ['premises_code']],
  lacks: 'column_missing',
  empty: 'file_empty',
} as const
type Field = keyof typeof HEADER.columns

/** @returns why a row breaks the rules of a device; undefined when it is valid */
export type CheckRow = (row: Record<string, string>) => FiskError | undefined

/**
 * Reads the rows of a device import (docs/spec/interface.md, POST /v1/devices/import), with commas or semicolons between
 * the cells. A row with a fault is returned with its refusal; the other rows stay valid. Rows that name one device are all
 * at fault, because nobody knows which is meant.
 * @throws FiskError `invalid_request`, param `file`, when the file as a whole cannot be read
 */
export async function readDeviceCsv(file: Buffer, check: CheckRow): Promise<DeviceTable> {
  const rows: (ImportRow | WrongRow)[] = []
  const lines = new Map<string, number[]>()
  const ignored: string[] = []
  for await (const { line, cell, refusal } of csvRows<Field>(file, HEADER, ignored)) {
    const label = tidyName(cell('label'))
    rows.push(refusal ? { line, label, refusal } : readRow(line, label, cell, check))
    lines.set(label, [...(lines.get(label) ?? []), line].slice(0, MOST_REPEATED))
  }
  return { rows: rows.map((row) => repeated(row, lines.get(row.label)) ?? row), ignored }
}

function repeated(row: ImportRow | WrongRow, lines: readonly number[] = []): WrongRow | undefined {
  if ('refusal' in row || lines.length < 2) return undefined
  const about = lines.filter((line) => line !== row.line).join(', ')
  const message = `the label stands in another row, too: line ${about}`
  const refusal = new FiskError('invalid_request', message, { param: 'label', reason: 'row_repeated', about })
  return { line: row.line, label: row.label, refusal }
}

/** So many lines of one label are told. */
const MOST_REPEATED = 5

/**
 * The rows below the header of a CSV file about devices, without those that are blank. Each has its line, the header being
 * line 1, its cell of a field, empty where the column is missing, and a refusal when it has more or fewer cells than the header.
 * What Excel adds is passed over: a line `sep=;`, lines and cells without content; and comments (`#`) above the header.
 * @param ignored gets the names of columns that nothing is read from
 * @throws FiskError `invalid_request`, param `file`, when the file as a whole cannot be read
 */
export async function* csvRows<F extends string>(file: Buffer, known: CsvHeader<F>, ignored: string[] = []) {
  let header: { width: number; at: ReadonlyMap<F, number> } | undefined
  let rows = 0
  for await (const { line, cells } of csvRecords(file, separatorOf(file))) {
    const { width, at } = header ?? { width: cells.length, at: undefined }
    if (cells.length <= width && cells.every((cell) => cell === '')) continue
    if (!at) {
      if (!isAboveHeader(cells)) header = { width, at: columnsOf(cells, known, ignored) }
      continue
    }
    if (++rows > IMPORT_ROWS) throw unreadable(`it has more than ${IMPORT_ROWS} rows: split it`, 'rows_too_many')
    const cell = (field: F) => cells[at.get(field) ?? -1] ?? ''
    yield { line, cell, refusal: misfit(cells, width) }
  }
  const needed = known.mandatory.map(([field]) => field).join(' and ')
  if (!header) throw unreadable(`it is empty: a header row with ${needed} is required`, known.empty ?? known.lacks)
}

/**
 * The rows of a CSV file of any length, with the line that each begins in, the first one 1. Spaces around a cell are removed.
 * @throws FiskError `invalid_request`, param `file`
 */
async function* csvRecords(file: Buffer, delimiter: string): AsyncGenerator<{ line: number; cells: string[] }> {
  if (isWorkbook(file))
    throw unreadable('it is a workbook (.xlsx, .xls or .ods): save it as "CSV UTF-8"', 'file_workbook')
  if (!isUtf8(file)) throw unreadable('it is not UTF-8: save it as "CSV UTF-8"', 'file_not_utf8')
  let line = 1
  const source = Readable.from(slicesOf(file), { objectMode: false })
  const parser = source.pipe(parse({ bom: true, info: true, relax_column_count: true, trim: true, delimiter }))
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (info.lines > IMPORT_LINES) throw unreadable(`it has more than ${IMPORT_LINES} lines`, 'rows_too_many')
      yield { line, cells: record }
      line = info.lines + 1
    }
  } catch (error) {
    throw error instanceof FiskError ? error : unreadable((error as Error).message, 'file_no_csv', error)
  } finally {
    source.destroy()
  }
}

/** The parser never yields the thread by itself, and its time per row grows with the size of a chunk. */
async function* slicesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += SLICE_BYTES) {
    await setImmediate()
    yield file.subarray(at, at + SLICE_BYTES)
  }
}

const SEPARATOR = /^sep=(.?)$/i

/** What stands above the header: the line by which Excel is told the separator, and comments. */
const isAboveHeader = ([first = '', ...more]: readonly string[]) =>
  first.startsWith('#') || (SEPARATOR.test(first) && more.every((cell) => cell === ''))

/** What the file says (`sep=;`); else comma or semicolon, whichever the header has more of: Excel takes the one of the country. */
export function separatorOf(file: Buffer): string {
  const begin = file.toString('utf8', 0, 4000).replace(/^\ufeff/, '')
  const lines = begin.split(/\r?\n|\r/)
  const stated = SEPARATOR.exec(lines[0]?.replaceAll('"', '') ?? '')?.[1]
  if (stated && SEPARATORS.includes(stated)) return stated
  const header = lines.find((line) => !/^"?([\s,;]*|sep=.|#.*)"?$/i.test(line)) ?? ''
  const count = (sign: string) => header.split(sign).length
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best))
}
const SEPARATORS = [',', ';']

/** How names of columns are compared. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{Mn}\s_-]/gu, '')
    .replaceAll('đ', 'd')

/** So many names of ignored columns are told, and so much of each. */
const IGNORED = { most: 20, letters: 60 }

function columnsOf<F extends string>(names: readonly string[], known: CsvHeader<F>, ignored: string[]) {
  const { columns, mandatory, lacks } = known
  const header = names.map(plain)
  const at = new Map<F, number>()
  for (const field of Object.keys(columns) as F[]) {
    const name = [plain(field), ...columns[field]].find((one) => header.includes(one))
    if (name === undefined) continue
    const index = header.indexOf(name)
    if (header.lastIndexOf(name) !== index)
      throw unreadable(`the column ${names[index]} is there twice`, 'column_twice')
    at.set(field, index)
  }
  const read = new Set(at.values())
  const others = names.filter((name, index) => name !== '' && !read.has(index))
  ignored.push(...others.slice(0, IGNORED.most).map((name) => cutText(name, IGNORED.letters)))
  if (header.length === 1 && names[0]?.includes('\t'))
    throw unreadable('its cells are separated by tabs: save it as "CSV UTF-8"', 'file_tabs')
  const missing = mandatory.find((fields) => !fields.some((field) => at.has(field)))
  if (missing) throw unreadable(`the header row lacks the column ${missing[0]}`, lacks)
  return at
}

/** Cells without content that a row has beyond the header are no fault, up to so many. */
const MOST_BLANK = 100

function misfit(cells: readonly string[], width: number): FiskError | undefined {
  const { length } = cells
  const isBlankBeyond =
    length > width && length <= width + MOST_BLANK && cells.slice(width).every((cell) => cell === '')
  if (length === width || isBlankBeyond) return undefined
  const hint = length > width ? ': put text with commas or semicolons into quotes' : ''
  const reason = length > width ? 'cells_too_many' : 'cells_missing'
  return new FiskError('invalid_request', `the row has ${length} cells, the header ${width}${hint}`, { reason })
}

function readRow(line: number, label: string, cell: (field: Field) => string, check: CheckRow): ImportRow | WrongRow {
  const premisesCode = cell('premises_code')
  const isuNumber = cell('isu_number') || null
  const companyOib = cell('company_oib') || null
  const refusal = check({ label, premises_code: premisesCode, ...(isuNumber !== null && { isu_number: isuNumber }) })
  if (refusal) return { line, label, refusal }
  const deviceConfig = readConfig(cell('device_config'))
  if (deviceConfig instanceof FiskError) return { line, label, refusal: deviceConfig }
  return { line, label, premisesCode, isuNumber, deviceConfig, companyOib }
}

/** @returns null for a blank cell, the refusal of anything that is not a JSON object */
function readConfig(text: string): JsonObject | null | FiskError {
  if (text === '') return null
  const refuse = (why: string, at = '') =>
    invalidRequest(`device_config${at}`, `device_config${at} ${why}`, 'config_no_object')
  const value: unknown = attempt(() => JSON.parse(text), null)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || isTooDeep(value)) return refuse('must be a JSON object')
  const twice = duplicateKey(text)
  return twice === undefined ? (value as JsonObject) : refuse('is there twice', `.${twice}`)
}

function unreadable(why: string, reason: Reason, cause?: unknown): FiskError {
  return new FiskError('invalid_request', `the file cannot be imported: ${why}`, { param: 'file', reason, cause })
}
