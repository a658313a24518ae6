import { invalidRequest, notFound } from '../../domain/errors.ts'
import {
  formatLineAddress,
  type PrinterCondition,
  type PrinterProfile,
  type PrinterSettings,
  parseLineAddress,
  UNKNOWN_CONDITION,
} from '../../domain/printer.ts'
import { audit } from '../access/audit-log.ts'
import { reachesCompany } from '../access/company-limit.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Device, DevicePrinter, PrintJob } from '../ports/model.ts'
import type { PrintOutcome, ReceiptDrawing, Spool } from '../ports/printing.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
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
}

/** A printer with its settings and state. */
export interface PrinterView {
  device: Device
  printer: DevicePrinter
  settings: PrinterSettings
  condition: PrinterCondition
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

interface Deps {
  store: Pick<Store, 'companies' | 'devices' | 'printJobs' | 'printers' | 'transaction'>
  clock: Clock
  spool: Spool
  drawing: ReceiptDrawing
  /** Whether a path is in fiskd's own data directory. */
  isOwnPath: (path: string) => boolean
}

/** How long a customer waits for a receipt. */
const EXPIRE_AFTER_S = 90

/** @param conditions of all configured printers */
export function printersHealth(conditions: readonly PrinterCondition[]): PrintersHealth {
  const unwell = conditions.filter(({ state }) => state === 'offline' || state === 'silent' || state === 'lost')
  const { length: total } = conditions
  const detail = [...unwell, ...conditions].find((condition) => condition.detail !== null)?.detail ?? null
  return { status: unwell.length > 0 ? 'degraded' : 'ok', total, ready: total - unwell.length, detail }
}

/**
 * Sets or changes the printer of a device; used from the next receipt on. Only the operator of this machine may do it,
 * because a line is a path or an address that this process writes to.
 * @throws FiskError 404 for an unknown device, 400 for an invalid line, or when there is no line yet
 */
export async function setPrinter(
  deps: Deps,
  by: Principal,
  deviceId: string,
  changes: PrinterChanges,
): Promise<PrinterView> {
  const { store, clock, spool } = deps
  const device = await findDevice(store, by, deviceId)
  requireOurs('device', device, 'device_id')
  const printer = await store.transaction(async (tx) => {
    await tx.subjects.hold('printing')
    const before = await tx.printers.get(deviceId)
    const line = changes.line === undefined ? before?.line : readLine(changes.line, deps.isOwnPath)
    if (line === undefined)
      throw invalidRequest('line', `${device.label} has no printer yet: say where it is, by ${LINES}`)
    const kept = changes.reset ? {} : before?.overrides
    const after: DevicePrinter = {
      deviceId,
      line,
      profile: changes.profile ?? before?.profile ?? 'generic',
      overrides: withChanges(kept ?? {}, changes.overrides ?? {}),
      expireAfterS: changes.expireAfterS ?? before?.expireAfterS ?? EXPIRE_AFTER_S,
    }
    await tx.printers.put(after)
    const { profile, expireAfterS, overrides } = after
    const detail = { device_id: deviceId, line, profile, expire_after_s: expireAfterS, overrides }
    await audit(tx, by, clock.now(), 'printer.set', detail)
    return after
  })
  await spool.reload()
  return viewOf(deps, device, printer)
}

/**
 * Removes a printer; its queued receipts are not printed any more.
 * @throws FiskError 404 when the device has no printer
 */
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

async function findDevice(
  store: Pick<StoreTransaction, 'companies' | 'devices'>,
  by: Principal,
  deviceId: string,
): Promise<Device> {
  requireScope(by, 'fleet:write')
  const device = await store.devices.get(deviceId)
  if (device?.tenantId !== by.tenantId) throw notFound('device_id', 'there is no such device')
  await findCompany(store, by, device.companyId, 'device_id')
  return device
}

async function viewOf({ store, spool, drawing }: Deps, device: Device, printer: DevicePrinter): Promise<PrinterView> {
  const settings = drawing.settingsOf(printer.profile, printer.overrides)
  const [last = null] = await store.printJobs.ofDevice(device.id, 1)
  return { device, printer, settings, condition: spool.condition(device.id) ?? UNKNOWN_CONDITION, last }
}

const LINES = 'serial:/dev/serial/by-id/NAME, usb:/dev/usb/lp0, tcp:HOST:9100 or file:/PATH'

function readLine(text: string, isOwnPath: Deps['isOwnPath']): string {
  const address = parseLineAddress(text)
  if (!address) throw invalidRequest('line', `"${text}" is no line to a printer: ${LINES}`)
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
