import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { FiskError, invalidRequest, type Reason } from '../../domain/errors.ts'
import { isTooDeep } from '../../domain/json-depth.ts'
import { IMPORT_LINES, IMPORT_ROWS } from '../../domain/upload.ts'
import type { JsonObject } from '../ports/model.ts'
import type { ImportRow, WrongRow } from './device-import.ts'

const SLICE_BYTES = 4096
const COLUMNS = ['label', 'premises_code', 'isu_number', 'device_config'] as const
type Column = (typeof COLUMNS)[number]

/** @returns why a row breaks the rules of a device; undefined when it is valid */
export type CheckRow = (row: Record<string, string>) => FiskError | undefined

/**
 * Reads the rows of a device import (docs/spec/interface.md, POST /v1/devices/import). A row with a fault is returned
 * with its refusal; the other rows stay valid.
 * @param delimiter between the cells of a row
 * @throws FiskError `invalid_request`, param `file`, when the file as a whole cannot be read
 */
export async function readDeviceCsv(file: Buffer, check: CheckRow, delimiter = ','): Promise<(ImportRow | WrongRow)[]> {
  const rows: (ImportRow | WrongRow)[] = []
  let header: Header | undefined
  let line = 1
  requireUtf8(file)
  const source = Readable.from(slicesOf(file), { objectMode: false })
  // Accept rows of any length, so that only a row that is too short is refused. Spaces around a cell are removed.
  const parser = source.pipe(parse({ bom: true, info: true, relax_column_count: true, trim: true, delimiter }))
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const begins = line
      line = info.lines + 1
      if (info.lines > IMPORT_LINES) throw unreadable(`it has more than ${IMPORT_LINES} lines`, 'rows_too_many')
      if (!header) header = readHeader(record)
      else if (record.length > 1 || record[0] !== '') rows.push(readRow(header, record, begins, check))
      if (rows.length > IMPORT_ROWS) throw unreadable(`it has more than ${IMPORT_ROWS} rows: split it`, 'rows_too_many')
    }
  } catch (error) {
    if (error instanceof FiskError) throw error
    throw unreadable((error as Error).message, 'file_no_csv', error)
  } finally {
    source.destroy()
  }
  if (!header) throw unreadable('it is empty: a header row with label and premises_code is required', 'file_empty')
  return rows
}

function requireUtf8(file: Buffer): void {
  if (!isUtf8(file)) throw unreadable('it is not UTF-8: save it as "CSV UTF-8"', 'file_not_utf8')
}

/** The parser never yields the thread by itself, and its time per row grows with the size of a chunk. */
export async function* slicesOf(file: Buffer): AsyncGenerator<Buffer> {
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

interface Header {
  width: number
  at: Partial<Record<Column, number>>
}

function readHeader(cells: string[]): Header {
  const at: Header['at'] = {}
  for (const column of COLUMNS) {
    const index = cells.indexOf(column)
    if (index < 0) continue
    if (cells.lastIndexOf(column) !== index) throw unreadable(`the column ${column} is there twice`, 'column_twice')
    at[column] = index
  }
  const missing = (['label', 'premises_code'] as const).find((column) => at[column] === undefined)
  if (missing === undefined) return { width: cells.length, at }
  const hint = cells.length === 1 && cells[0]?.includes(';') ? ': separate the columns by commas, not semicolons' : ''
  throw unreadable(`the header row lacks the column ${missing}${hint}`, 'column_missing')
}

function readRow({ width, at }: Header, record: string[], line: number, check: CheckRow): ImportRow | WrongRow {
  const cell = (column: Column) => record[at[column] ?? -1] ?? ''
  const label = cell('label')
  const premisesCode = cell('premises_code')
  const isuNumber = cell('isu_number') || null
  if (record.length !== width) {
    const hint = record.length > width ? ': put text with commas into quotes' : ''
    const message = `the row has ${record.length} cells, the header ${width}${hint}`
    const reason = record.length > width ? 'cells_too_many' : 'cells_missing'
    return { line, label, refusal: new FiskError('invalid_request', message, { reason }) }
  }
  const refusal = check({ label, premises_code: premisesCode, ...(isuNumber !== null && { isu_number: isuNumber }) })
  if (refusal) return { line, label, refusal }
  const deviceConfig = readConfig(cell('device_config'))
  if (deviceConfig !== undefined) return { line, label, premisesCode, isuNumber, deviceConfig }
  const message = 'device_config must be a JSON object'
  return { line, label, refusal: invalidRequest('device_config', message, 'config_no_object') }
}

/** @returns null for a blank cell, undefined for anything that is not a JSON object */
function readConfig(text: string): JsonObject | null | undefined {
  if (text === '') return null
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !isTooDeep(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

function unreadable(why: string, reason: Reason, cause?: unknown): FiskError {
  return new FiskError('invalid_request', `the file cannot be imported: ${why}`, { param: 'file', reason, cause })
}
