import { conflict, invalidRequest, notFound } from '../../domain/errors.ts'
import {
  formatLineAddress,
  misfitOf,
  type PrinterCondition,
  type PrinterProfile,
  type PrinterSettings,
  parseLineAddress,
  UNKNOWN_CONDITION,
} from '../../domain/printer.ts'
import type { PaperRoll } from '../../domain/printing/paper-roll.ts'
import { withDeviceName } from '../../domain/shell-word.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { Device, DevicePrinter, PrintJob } from '../ports/model.ts'
import type { PrintOutcome, ReceiptDrawing, Spool } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findCompany } from '../registry/companies.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'

/** Only the given fields change; null resets a setting to the profile's value. */
export interface PrinterChanges {
  line?: string | undefined
  profile?: PrinterProfile | undefined
  expireAfterS?: number | undefined
  overrides?: { [K in keyof PrinterSettings]?: PrinterSettings[K] | null | undefined } | undefined
  /** Removes all earlier overrides. */
  reset?: boolean | undefined
  /** Changes the printer for all devices that share its line. */
  shared?: boolean | undefined
}

export interface PrinterView {
  device: Device
  printer: DevicePrinter
  settings: PrinterSettings
  condition: PrinterCondition
  roll: PaperRoll | undefined
  /** The receipt that was queued last. */
  last: PrintJob | null
}

/** Whether receipts are printed; sales continue without them. */
export interface PrintersHealth {
  status: 'ok' | 'degraded'
  total: number
  ready: number
  /** The problem of the first faulty printer, for people. */
  detail: string | null
}

interface Deps extends Context {
  spool: Spool
  drawing: ReceiptDrawing
  /** Whether a path is in fiskd's own data directory. */
  isOwnPath: (path: string) => boolean
  /** One name for each printer, whatever links lead to it. */
  realLine: (line: string) => Promise<string>
}

/** How long a customer waits for a receipt. */
const EXPIRE_AFTER_S = 90

/** @param conditions of all configured printers */
export function printersHealth(conditions: readonly PrinterCondition[]): PrintersHealth {
  const unwell = conditions.filter(({ state }) => state === 'offline' || state === 'silent' || state === 'lost')
  const { length: total } = conditions
  const detail = [...unwell, ...conditions].find((condition) => condition.detail !== null)?.detail?.en ?? null
  return { status: unwell.length > 0 ? 'degraded' : 'ok', total, ready: total - unwell.length, detail }
}

/**
 * Sets or changes the printer of a device; used from the next receipt on. Only the operator of this machine may do it,
 * because a line is a path or an address that this process writes to.
 * @throws FiskError 404 for an unknown device, 400 for an invalid line or settings that contradict each other, or when
 *   there is no line yet, 409 for the line of another device that is set differently
 */
export async function setPrinter(
  deps: Deps,
  by: Principal,
  deviceId: string,
  changes: PrinterChanges,
): Promise<PrinterView> {
  const { store, clock, spool, drawing } = deps
  const device = await findDevice(store, by, deviceId)
  requireOurs('device', device, 'device_id')
  const wanted = changes.line === undefined ? undefined : readLine(changes.line, deps.isOwnPath)
  const isSame = await comparison(deps, wanted)
  const printer = await store.transaction(async (tx) => {
    await tx.subjects.hold('printing')
    const before = await tx.printers.get(deviceId)
    const line = wanted ?? before?.line
    if (line === undefined)
      throw invalidRequest('line', `${device.label} has no printer yet: say where it is, by ${LINES}`)
    const sharers = (await tx.printers.all()).filter((one) => one.deviceId !== deviceId && isSame(one.line, line))
    const after = changed(before ?? joining(sharers, changes), { deviceId, line }, changes)
    const misfit = misfitOf(drawing.settingsOf(after.profile, after.overrides))
    if (misfit) throw invalidRequest(`settings.${misfit.setting}`, misfit.problem)
    const { profile, overrides } = after
    const all = changes.shared ? sharers.map((sharer) => ({ ...sharer, line, profile, overrides })) : []
    if (!changes.shared) await requireAlike(deps, sharers, after)
    for (const one of [after, ...all]) {
      await tx.printers.put(one)
      const detail = { device_id: one.deviceId, line: one.line, profile, expire_after_s: one.expireAfterS, overrides }
      await audit(tx, by, clock.now(), 'printer.set', detail)
    }
    return after
  })
  await spool.reload()
  return viewOf(deps, device, printer)
}

/** Its queued receipts are not printed any more. @throws FiskError 404 when the device has no printer */
export async function removePrinter(deps: Deps, by: Principal, deviceId: string): Promise<PrinterView> {
  const { store, clock, spool } = deps
  const view = await findPrinter(deps, by, deviceId)
  await store.transaction(async (tx) => {
    await tx.subjects.hold('printing')
    if (!(await tx.printers.get(deviceId))) throw noPrinter(view.device)
    await tx.printers.remove(deviceId)
    await audit(tx, by, clock.now(), 'printer.removed', { device_id: deviceId, line: view.printer.line })
  })
  await spool.reload()
  return view
}

/** The printers of the tenant's devices. @param look asks each printer for its state first */
export async function listPrinters(deps: Deps, by: Principal, look: boolean): Promise<PrinterView[]> {
  requireScope(by, 'fleet:read')
  const { store, spool } = deps
  const printers = await store.printers.all()
  if (look) await Promise.all(printers.map(({ deviceId }) => spool.look(deviceId)))
  const views: PrinterView[] = []
  for (const printer of printers) {
    const device = await store.devices.get(printer.deviceId)
    if (device?.tenantId === by.tenantId && reachesCompany(by, device.companyId))
      views.push(await viewOf(deps, device, printer))
  }
  return views
}

/** @throws FiskError 404 when the device has no printer */
export async function testPrinter(
  deps: Deps,
  by: Principal,
  deviceId: string,
): Promise<PrintOutcome & { printer: PrinterView }> {
  await findPrinter(deps, by, deviceId)
  const outcome = await deps.spool.test(deviceId)
  return { ...outcome, printer: await findPrinter(deps, by, deviceId) }
}

/** @throws FiskError 404 for an unknown device, or one without a printer */
async function findPrinter(deps: Deps, by: Principal, deviceId: string): Promise<PrinterView> {
  const device = await findDevice(deps.store, by, deviceId)
  const printer = await deps.store.printers.get(deviceId)
  if (!printer) throw noPrinter(device)
  return viewOf(deps, device, printer)
}

const noPrinter = ({ label }: Device) =>
  notFound('device_id', `${label} has no printer: give it one with fisk printer set`)

async function findDevice(store: StoreTransaction, by: Principal, deviceId: string): Promise<Device> {
  requireScope(by, 'fleet:write')
  const device = await store.devices.get(deviceId)
  if (device?.tenantId !== by.tenantId) throw notFound('device_id', 'there is no such device')
  await findCompany(store, by, device.companyId, 'device_id')
  return device
}

async function viewOf({ store, spool, drawing }: Deps, device: Device, printer: DevicePrinter): Promise<PrinterView> {
  const settings = drawing.settingsOf(printer.profile, printer.overrides)
  const [last = null] = await store.printJobs.ofDevice(device.id, 1)
  const roll = await store.paperRolls.get(printer.line)
  const condition = spool.condition(device.id) ?? UNKNOWN_CONDITION
  return { device, printer, settings, roll, condition: withDevice(condition, device.label), last }
}

const LINES = 'serial:/dev/serial/by-id/NAME, usb:/dev/usb/lp0, tcp:HOST:9100 or file:/PATH'

const BARE_USB =
  'name its /dev/usb/lp0 or its serial port (fisk printer list). If there is none, switch the USB mode of the printer to ' +
  'printer class, or use its serial or network port'

function readLine(text: string, isOwnPath: Deps['isOwnPath']): string {
  const address = parseLineAddress(text.startsWith('/dev/bus/usb/') ? `usb:${text}` : text)
  if (!address) throw invalidRequest('line', `"${text}" is no line to a printer: ${LINES}`)
  if (address.kind !== 'tcp' && address.path.startsWith('/dev/bus/usb/')) {
    throw invalidRequest('line', `${address.path} is the bare USB device, and fiskd needs a driver for it: ${BARE_USB}`)
  }
  if (address.kind === 'file' && isOwnPath(address.path)) {
    throw invalidRequest('line', `${address.path} is in the data directory: name a file elsewhere`)
  }
  return formatLineAddress(address)
}

function withChanges(kept: DevicePrinter['overrides'], changes: NonNullable<PrinterChanges['overrides']>) {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined)
  const after = Object.entries({ ...kept, ...Object.fromEntries(said) })
  return Object.fromEntries(after.filter(([, value]) => value !== null)) as DevicePrinter['overrides']
}

/** A device without a printer that says nothing about it gets the settings of those that have this line already. */
function joining([sharer]: DevicePrinter[], { profile, overrides = {} }: PrinterChanges): DevicePrinter | undefined {
  const says = profile !== undefined || Object.values(overrides).some((value) => value !== undefined)
  return says || !sharer ? undefined : { ...sharer, expireAfterS: EXPIRE_AFTER_S }
}

function changed(
  before: DevicePrinter | undefined,
  key: Pick<DevicePrinter, 'deviceId' | 'line'>,
  changes: PrinterChanges,
): DevicePrinter {
  return {
    ...key,
    profile: changes.profile ?? before?.profile ?? 'generic',
    overrides: withChanges((changes.reset ? {} : before?.overrides) ?? {}, changes.overrides ?? {}),
    expireAfterS: changes.expireAfterS ?? before?.expireAfterS ?? EXPIRE_AFTER_S,
  }
}

/** Whether two lines lead to one printer; asked before the transaction, which waits for no disk or network. */
async function comparison({ store, realLine }: Pick<Deps, 'store' | 'realLine'>, wanted: string | undefined) {
  const lines = (await store.printers.all()).map(({ line }) => line)
  const real = new Map<string, string>()
  for (const line of wanted === undefined ? lines : [...lines, wanted]) real.set(line, await realLine(line))
  return (one: string, other: string) => (real.get(one) ?? one) === (real.get(other) ?? other)
}

/** Devices share a printer when they set it alike; otherwise only one could open it. @throws FiskError 409 */
async function requireAlike(
  { store, drawing }: Pick<Deps, 'store' | 'drawing'>,
  sharers: readonly DevicePrinter[],
  printer: DevicePrinter,
): Promise<void> {
  const keyOf = ({ profile, overrides }: DevicePrinter) =>
    JSON.stringify(Object.entries(drawing.settingsOf(profile, overrides)).sort())
  const rival = sharers.find((other) => other.line !== printer.line || keyOf(other) !== keyOf(printer))
  if (!rival) return
  const label = (await store.devices.get(rival.deviceId))?.label ?? rival.deviceId
  if (rival.line !== printer.line) {
    throw conflict(
      'line',
      `${printer.line} is the printer of ${label}, which is set as ${rival.line}: use the same name`,
    )
  }
  throw conflict(
    'line',
    `${label} has the same printer (${rival.line}, profile ${rival.profile}), and devices share a printer only with the ` +
      'same profile and settings: give it those, name another line, or change it for all of them (fisk printer set --shared)',
  )
}

/** The condition with the device in the commands of its fix, ready to be typed. */
export function withDevice(condition: PrinterCondition, label: string): PrinterCondition {
  const { fix } = condition
  if (fix === null) return condition
  return { ...condition, fix: { en: withDeviceName(fix.en, label), hr: withDeviceName(fix.hr, label) } }
}
