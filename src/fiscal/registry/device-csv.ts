import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { FiskError, invalidRequest, type Reason } from '../../domain/errors.ts'
import { duplicateKey } from '../../domain/field-path.ts'
import { isTooDeep } from '../../domain/json-depth.ts'
import { IMPORT_LINES, IMPORT_ROWS } from '../../domain/upload.ts'
import type { JsonObject } from '../ports/model.ts'
import type { ImportRow, WrongRow } from './device-import.ts'

const SLICE_BYTES = 4096

/** What the header of a CSV file about devices has. */
export interface CsvHeader<F extends string> {
  /** How the column of each field may also be called, lower case and without accents; the first one there counts. */
  columns: Record<F, readonly string[]>
  /** One of each of these must be there. */
  mandatory: readonly (readonly F[])[]
  lacks: Reason
  /** For a file without a header; `lacks` when left out. */
  empty?: Reason
}

const HEADER = {
  columns: { label: [], premises_code: [], isu_number: [], device_config: [], company_oib: [] },
  mandatory: [['label'], ['premises_code']],
  lacks: 'column_missing',
  empty: 'file_empty',
} as const
type Field = keyof typeof HEADER.columns

/** @returns why a row breaks the rules of a device; undefined when it is valid */
export type CheckRow = (row: Record<string, string>) => FiskError | undefined

/**
 * Reads the rows of a device import (docs/spec/interface.md, POST /v1/devices/import), with commas or semicolons between
 * the cells. A row with a fault is returned with its refusal; the other rows stay valid.
 * @throws FiskError `invalid_request`, param `file`, when the file as a whole cannot be read
 */
export async function readDeviceCsv(file: Buffer, check: CheckRow): Promise<(ImportRow | WrongRow)[]> {
  const rows: (ImportRow | WrongRow)[] = []
  for await (const { line, cell, refusal } of csvRows<Field>(file, HEADER))
    rows.push(refusal ? { line, label: cell('label'), refusal } : readRow(line, cell, check))
  return rows
}

/**
 * The rows below the header of a CSV file about devices, without those that are blank. Each has its line, the header being
 * line 1, its cell of a field, empty where the column is missing, and a refusal when it has more or fewer cells than the header.
 * @throws FiskError `invalid_request`, param `file`, when the file as a whole cannot be read
 */
export async function* csvRows<F extends string>(file: Buffer, known: CsvHeader<F>) {
  let header: { width: number; at: ReadonlyMap<F, number> } | undefined
  let rows = 0
  for await (const { line, cells } of csvRecords(file, separatorOf(file))) {
    const { width, at } = header ?? { width: cells.length, at: undefined }
    if (cells.length <= width && cells.every((cell) => cell === '')) continue
    if (!at) {
      header = { width, at: columnsOf(cells.map(plain), known) }
      continue
    }
    if (++rows > IMPORT_ROWS) throw unreadable(`it has more than ${IMPORT_ROWS} rows: split it`, 'rows_too_many')
    yield { line, cell: (field: F) => cells[at.get(field) ?? -1] ?? '', refusal: misfit(cells.length, width) }
  }
  const needed = known.mandatory.map(([field]) => field).join(' and ')
  if (!header) throw unreadable(`it is empty: a header row with ${needed} is required`, known.empty ?? known.lacks)
}

/**
 * The rows of a CSV file of any length, with the line that each begins in, the first one 1. Spaces around a cell are removed.
 * @throws FiskError `invalid_request`, param `file`
 */
async function* csvRecords(file: Buffer, delimiter: string): AsyncGenerator<{ line: number; cells: string[] }> {
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

/** Comma or semicolon, whichever the header has more of: Excel takes the one of the country. */
export function separatorOf(file: Buffer): string {
  const end = file.indexOf('\n')
  const header = file.subarray(0, end < 0 ? 1000 : Math.min(end, 1000)).toString('latin1')
  const count = (sign: string) => header.split(sign).length
  return count(';') > count(',') ? ';' : ','
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('đ', 'd')
    .trim()

function columnsOf<F extends string>(header: readonly string[], { columns, mandatory, lacks }: CsvHeader<F>) {
  const at = new Map<F, number>()
  for (const field of Object.keys(columns) as F[]) {
    const index = header.findIndex((name) => name === field || columns[field].includes(name))
    const name = header[index]
    if (name === undefined) continue
    if (header.lastIndexOf(name) !== index) throw unreadable(`the column ${name} is there twice`, 'column_twice')
    at.set(field, index)
  }
  const missing = mandatory.find((fields) => !fields.some((field) => at.has(field)))
  if (missing) throw unreadable(`the header row lacks the column ${missing[0]}`, lacks)
  return at
}

function misfit(cells: number, width: number): FiskError | undefined {
  if (cells === width) return undefined
  const hint = cells > width ? ': put text with commas or semicolons into quotes' : ''
  const reason = cells > width ? 'cells_too_many' : 'cells_missing'
  return new FiskError('invalid_request', `the row has ${cells} cells, the header ${width}${hint}`, { reason })
}

function readRow(line: number, cell: (field: Field) => string, check: CheckRow): ImportRow | WrongRow {
  const label = cell('label')
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
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject || isTooDeep(value)) return refuse('must be a JSON object')
    const twice = duplicateKey(text)
    return twice === undefined ? (value as JsonObject) : refuse('is there twice', `.${twice}`)
  } catch {
    return refuse('must be a JSON object')
  }
}

function unreadable(why: string, reason: Reason, cause?: unknown): FiskError {
  return new FiskError('invalid_request', `the file cannot be imported: ${why}`, { param: 'file', reason, cause })
}
