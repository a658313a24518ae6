import { setImmediate } from 'node:timers/promises'
import { FiskError, type Reason } from '../../domain/errors.ts'
import { exceptionsIn, readHours, type StatedHours } from '../../domain/hours/hours-text.ts'
import { tidyName } from '../../domain/texts/name.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { FleetUseCases, ListedDevice } from '../office/fleet.ts'
import { type CsvHeader, csvRows, DEVICE_COLUMNS, ISU_COLUMNS } from '../registry/device-csv.ts'
import { deviceFaults } from '../registry/device-rules.ts'

/** A row of a file about devices, here and at gateways, of all companies. */
interface FileRow {
  /** The header is line 1. */
  line: number
  device: ListedDevice
  /** As a job takes it. */
  input: string
}

interface WrongRow {
  line: number
  label: string
  /** The column that is at fault; null for the whole row. */
  field: string | null
  refusal: FiskError
}

export interface DeviceFile {
  rows: FileRow[]
  /** The others stay valid. */
  wrong: WrongRow[]
  /** The columns that nothing was read from. */
  ignored: string[]
}

type Fleet = Pick<FleetUseCases, 'listDevices'>

type DeviceField = keyof typeof DEVICE_COLUMNS

const ISU_FILE = {
  columns: { ...DEVICE_COLUMNS, isu_number: [...ISU_COLUMNS, 'broj'] },
  mandatory: [['label'], ['isu_number']],
  lacks: 'isu_file_columns',
} as const

const HOURS_FILE = {
  columns: {
    ...DEVICE_COLUMNS,
    from: ['od', 'datumod'],
    hours: ['radnovrijeme'],
    note: ['napomena'],
    exceptions: ['iznimke'],
  },
  mandatory: [['label'], ['hours', 'exceptions']],
  lacks: 'hours_file_columns',
} as const

class RowFault extends Error {
  constructor(
    readonly field: string | null,
    readonly refusal: FiskError,
  ) {
    super(refusal.message)
  }
}

function rowFault(field: string | null, reason: Reason, about?: string): RowFault {
  return new RowFault(
    field,
    new FiskError('invalid_request', reason, { reason, ...(about !== undefined && { about }) }),
  )
}

/**
 * Reads the rows of a file, and the device of each; `read`, which may throw a `RowFault`, reads the rest of a row.
 * @throws FiskError `invalid_request`, param `file`, when the whole file cannot be read; `insufficient_scope`
 */
async function readDeviceFile<F extends string>(
  fleet: Fleet,
  principal: Principal,
  file: Buffer,
  header: CsvHeader<F | DeviceField>,
  read: (row: { line: number; device: ListedDevice; cell: (field: F) => string }, holders: Holders) => void,
): Promise<Pick<DeviceFile, 'wrong' | 'ignored'>> {
  requireScope(principal, 'fleet:write')
  const devices = await devicesByLabel(fleet, principal)
  const wrong: WrongRow[] = []
  const ignored: string[] = []
  for await (const { line, cell, refusal } of csvRows(file, header, ignored)) {
    try {
      if (refusal) throw new RowFault(null, refusal)
      read({ line, device: deviceOf(devices, cell('label'), cell('premises_code')), cell }, devices.holders)
    } catch (fault) {
      if (!(fault instanceof RowFault)) throw fault
      wrong.push({ line, label: cell('label'), field: fault.field, refusal: fault.refusal })
    }
  }
  return { wrong, ignored }
}

/** @throws RowFault */
function deviceOf(devices: Map<string, ListedDevice[]>, label: string, premisesCode: string): ListedDevice {
  const named = (devices.get(tidyName(label)) ?? []).filter(
    ({ device }) => premisesCode === '' || device.premisesCode === premisesCode,
  )
  const [device] = named
  if (label === '') throw rowFault('label', 'label_missing')
  if (device === undefined) throw rowFault('label', 'device_unknown')
  if (named.length > 1) throw rowFault('premises_code', 'device_ambiguous')
  return device
}

const PAGE = 500

/** Devices by their ISU numbers. */
type Holders = Map<string, ListedDevice>

/** The devices that the principal sees, by label; those with a number by their number, too. */
async function devicesByLabel(fleet: Fleet, principal: Principal) {
  const byLabel = new Map<string, ListedDevice[]>()
  const holders = new Map<string, ListedDevice>()
  let after: { at: number; id: string } | undefined
  do {
    const page = await fleet.listDevices(principal, { allTenants: false }, { limit: PAGE, ...(after && { after }) })
    for (const one of page.items) {
      const label = tidyName(one.device.label)
      byLabel.set(label, [...(byLabel.get(label) ?? []), one])
      if (one.device.isuNumber !== null) holders.set(one.device.isuNumber, one)
    }
    after = page.next ?? undefined
    await setImmediate()
  } while (after)
  return Object.assign(byLabel, { holders })
}

/** Reads a file that gives ISU numbers to devices. @throws FiskError as `readDeviceFile` */
export async function readIsuFile(fleet: Fleet, principal: Principal, file: Buffer): Promise<DeviceFile> {
  const rows: DeviceFile['rows'] = []
  const taken = new Map<string, number>()
  const { wrong, ignored } = await readDeviceFile<'isu_number'>(
    fleet,
    principal,
    file,
    ISU_FILE,
    ({ line, device, cell }, holders) => {
      const { id, status } = device.device
      const input = cell('isu_number')
      const [fault] = deviceFaults({ isu_number: input })
      const holder = holders.get(input)
      if (input === '') throw rowFault('isu_number', 'isu_number_missing')
      if (fault) throw rowFault('isu_number', fault.reason ?? 'isu_number_not_digits')
      if (status === 'archived') throw rowFault('label', 'device_archived')
      if (taken.has(id)) throw rowFault('label', 'row_repeated', String(taken.get(id)))
      if (taken.has(input)) throw rowFault('isu_number', 'row_repeated', String(taken.get(input)))
      if (holder && holder.device.id !== id) throw rowFault('isu_number', 'isu_number_taken', holder.device.label)
      taken.set(id, line).set(input, line)
      rows.push({ line, device, input })
    },
  )
  return { rows, wrong, ignored }
}

/**
 * Reads a file with working hours; who repeats a device gives it several regular hours. What can be told before sending
 * is told when a row is done, by the day that it is then. @throws FiskError as `readDeviceFile`
 */
export async function readHoursFile(fleet: Fleet, principal: Principal, file: Buffer): Promise<DeviceFile> {
  const read = new Map<string, Omit<FileRow, 'input'> & { stated: StatedHours }>()
  const { wrong, ignored } = await readDeviceFile<Exclude<keyof typeof HOURS_FILE.columns, DeviceField>>(
    fleet,
    principal,
    file,
    HOURS_FILE,
    ({ line, device, cell }) => {
      const row = read.get(device.device.id) ?? { line, device, stated: { regular: [], exceptions: [] } }
      const [from, hours, note] = [cell('from'), cell('hours'), cell('note')]
      if (from !== '' || hours !== '') row.stated.regular.push({ from, hours, ...(note !== '' && { note }) })
      row.stated.exceptions.push(...exceptionsIn(cell('exceptions').split(';')))
      read.set(device.device.id, row)
      try {
        readHours(row.stated)
      } catch (error) {
        throw error instanceof FiskError ? new RowFault(null, error) : error
      }
    },
  )
  // A device with a wrong row gets none of its hours: half of them would be others than were meant.
  const labels = new Set(wrong.map(({ label }) => tidyName(label)))
  const right = [...read.values()].filter(({ device }) => !labels.has(tidyName(device.device.label)))
  return { rows: right.map(({ stated, ...row }) => ({ ...row, input: JSON.stringify(stated) })), wrong, ignored }
}
