import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { FiskError, invalidRequest, type Reason } from '../../domain/errors.ts'
import { IMPORT_LINES, IMPORT_ROWS } from '../../domain/upload.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { FleetUseCases, ListedDevice } from '../office/fleet.ts'
import { separatorOf, slicesOf } from '../registry/device-csv.ts'
import { deviceFaults } from '../registry/device-rules.ts'

/** A row of a file with ISU numbers, and the device that it is about. */
export interface IsuRow {
  /** The header is line 1. */
  line: number
  device: ListedDevice
  isuNumber: string
}

export interface WrongIsuRow {
  line: number
  label: string
  field: 'label' | 'premises_code' | 'isu_number' | null
  refusal: FiskError
}

export interface IsuFile {
  rows: IsuRow[]
  wrong: WrongIsuRow[]
}

type Field = 'label' | 'premises_code' | 'isu_number'

/** The names of the columns, lower case and without accents. */
const COLUMNS: Record<Field, readonly string[]> = {
  label: ['label', 'device', 'naziv', 'naziv uredaja', 'uredaj'],
  premises_code: ['premises_code', 'premises', 'poslovni prostor', 'oznaka poslovnog prostora', 'prostor'],
  isu_number: ['isu_number', 'isu number', 'isu', 'isu broj', 'broj'],
}

/**
 * Reads a file that gives ISU numbers to devices, here and at gateways, of all companies. A row with a fault is returned
 * with its refusal; the others stay valid.
 * @throws FiskError `invalid_request`, param `file`, when the file as a whole cannot be read; `insufficient_scope`
 */
export async function readIsuFile(
  fleet: Pick<FleetUseCases, 'listDevices'>,
  principal: Principal,
  file: Buffer,
): Promise<IsuFile> {
  requireScope(principal, 'fleet:write')
  const [header, ...records] = await recordsOf(file)
  if (!header) throw unreadable('it is empty', 'isu_file_columns')
  const at = columnsOf(header.cells)
  const devices = await devicesByLabel(fleet, principal)
  const result: IsuFile = { rows: [], wrong: [] }
  const taken = { device: new Map<string, number>(), number: new Map<string, number>() }
  for (const { line, cells } of records) {
    const cell = (field: Field) => cells[at[field] ?? -1] ?? ''
    const wrong = (field: Field | null, reason: Reason, about?: string) => {
      const refusal = new FiskError('invalid_request', reason, { reason, ...(about !== undefined && { about }) })
      result.wrong.push({ line, label: cell('label'), field, refusal })
    }
    const isuNumber = cell('isu_number')
    const named = (devices.get(cell('label')) ?? []).filter(
      ({ device }) => cell('premises_code') === '' || device.premisesCode === cell('premises_code'),
    )
    const [device] = named
    const [fault] = deviceFaults({ isu_number: isuNumber })
    if (cells.length !== header.cells.length)
      wrong(null, cells.length > header.cells.length ? 'cells_too_many' : 'cells_missing')
    else if (cell('label') === '') wrong('label', 'label_missing')
    else if (device === undefined) wrong('label', 'device_unknown')
    else if (named.length > 1) wrong('premises_code', 'device_ambiguous')
    else if (isuNumber === '') wrong('isu_number', 'isu_number_missing')
    else if (fault) wrong('isu_number', fault.reason ?? 'isu_number_not_digits')
    else if (device.device.status === 'archived') wrong('label', 'device_archived')
    else if (taken.device.has(device.device.id))
      wrong('label', 'row_repeated', String(taken.device.get(device.device.id)))
    else if (taken.number.has(isuNumber)) wrong('isu_number', 'row_repeated', String(taken.number.get(isuNumber)))
    else {
      const holder = devices.holders.get(isuNumber)
      if (holder && holder.device.id !== device.device.id) wrong('isu_number', 'isu_number_taken', holder.device.label)
      else {
        taken.device.set(device.device.id, line)
        taken.number.set(isuNumber, line)
        result.rows.push({ line, device, isuNumber })
      }
    }
  }
  return result
}

async function recordsOf(file: Buffer): Promise<{ line: number; cells: string[] }[]> {
  if (!isUtf8(file)) throw unreadable('it is not UTF-8', 'file_not_utf8')
  const source = Readable.from(slicesOf(file), { objectMode: false })
  const parser = source.pipe(
    parse({ bom: true, info: true, relax_column_count: true, trim: true, delimiter: separatorOf(file) }),
  )
  const records: { line: number; cells: string[] }[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (record.some((cell) => cell !== '')) records.push({ line: info.lines, cells: record })
      if (info.lines > IMPORT_LINES || records.length > IMPORT_ROWS + 1)
        throw unreadable('too many rows', 'rows_too_many')
    }
    return records
  } catch (error) {
    throw error instanceof FiskError ? error : unreadable((error as Error).message, 'file_no_csv')
  } finally {
    source.destroy()
  }
}

function columnsOf(header: readonly string[]): Partial<Record<Field, number>> {
  const plain = header.map((name) =>
    name
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .replaceAll('đ', 'd')
      .trim(),
  )
  const at: Partial<Record<Field, number>> = {}
  for (const field of Object.keys(COLUMNS) as Field[]) {
    const index = plain.findIndex((name) => COLUMNS[field].includes(name))
    if (index >= 0) at[field] = index
  }
  if (at.label === undefined || at.isu_number === undefined) {
    throw unreadable('the header lacks a column', 'isu_file_columns')
  }
  return at
}

const PAGE = 500

/** The devices that the principal sees, by label; those with a number by their number, too. */
async function devicesByLabel(fleet: Pick<FleetUseCases, 'listDevices'>, principal: Principal) {
  const byLabel = new Map<string, ListedDevice[]>()
  const holders = new Map<string, ListedDevice>()
  let after: { at: number; id: string } | undefined
  do {
    const page = await fleet.listDevices(principal, { allTenants: false }, { limit: PAGE, ...(after && { after }) })
    for (const one of page.items) {
      byLabel.set(one.device.label, [...(byLabel.get(one.device.label) ?? []), one])
      if (one.device.isuNumber !== null) holders.set(one.device.isuNumber, one)
    }
    after = page.next ?? undefined
    await setImmediate()
  } while (after)
  return Object.assign(byLabel, { holders })
}

function unreadable(why: string, reason: Reason): FiskError {
  return invalidRequest('file', `the file cannot be read: ${why}`, reason)
}
