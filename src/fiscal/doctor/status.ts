import { setImmediate } from 'node:timers/promises'
import { type CertificateStatus, daysUntil, statusInUse } from '../../domain/certificate.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { type PrinterCondition, UNKNOWN_CONDITION } from '../../domain/printer.ts'
import { deadlineOf } from '../../domain/sale/invoice.ts'
import type { ClockState } from '../clock/describe-clock.ts'
import type { SyncStatus } from '../gateways/sync-status.ts'
import type { ModeClocks, WatchedClock } from '../ports/clock.ts'
import type { Company, Device } from '../ports/model.ts'
import type { ServingProcess } from '../ports/rows/processes.ts'
import type { Queue } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { withDevice } from '../printing/printers.ts'
import type { MachineChange } from '../registry/machine-facts.ts'
import { type Parked, parkedOf } from '../sales/answer-trust.ts'
import type { FiscalHealth, FiscalProbe } from '../sales/authority-probe.ts'
import type { DiskSpace } from '../sales/disk-space.ts'
import { nearestLegalDeadline } from '../sales/legal-deadline.ts'
import type { Blocker, BlockerText, DeviceCounts } from './blockers/blocker.ts'
import { type BlockerDeps, findBlockers } from './blockers/sale-blockers.ts'
import { misspeltSettings } from './setting-checks.ts'

export interface CompanyCertificate {
  status: 'missing' | Extract<CertificateStatus, 'valid' | 'expiring' | 'expired'>
  notAfter: EpochMs | null
  daysLeft: number | null
}

export interface PrinterStatus {
  device: Pick<Device, 'id' | 'label' | 'tenantId' | 'companyId'>
  condition: PrinterCondition
}

export interface GatewayStatus {
  /** Whether at least one device can sell and get a JIR, even if others have problems. */
  canSell: boolean
  problems: Blocker[]
  companies: { company: Company; certificate: CompanyCertificate }[]
  devices: DeviceCounts
  queue: Queue
  /** Failed sales of one tenant with an untrusted JIR, which the tenant can send again. */
  parked: Parked
  /** The oldest sale that can still get its JIR, and the nearest legal deadline. */
  oldestAt: EpochMs | null
  legalDeadlineAt: EpochMs | null
  lastJirAt: EpochMs | null
  /** Null before the first request to the tax authority. */
  cis: FiscalHealth | null
  clock: ClockState
  disk: DiskSpace
  /** How long a write of this process took to be on the disk lately; null while unknown. */
  diskWriteMs: number | null
  printers: PrinterStatus[]
  lastBackupAt: EpochMs | null
  /** Whether the database server's operator makes the backups, outside fiskd. */
  backedUpElsewhere: boolean
  /** Null without a central server. */
  sync: SyncStatus | null
  /** How this machine differs from the one that the database was on before; null while it does not. */
  machineChange: MachineChange | null
  /** How many gateways a server has, enrolled or not. */
  gateways: number
  /** The processes of a server on PostgreSQL; none elsewhere. */
  processes: (ServingProcess & { isThisOne: boolean })[]
}

/** Companies per query: other work waits for no more. */
const COMPANIES = 200

/** The certificates that these companies sign with, here and at their gateways: of each company the one that ends first. */
export async function companyCertificates(
  store: StoreTransaction,
  companyIds: readonly string[],
  now: EpochMs,
): Promise<(companyId: string) => CompanyCertificate> {
  const found = new Map<string, CompanyCertificate>()
  for (let start = 0; start < companyIds.length; start += COMPANIES) {
    for (const { companyId, notAfter } of await store.certificates.inUse(companyIds.slice(start, start + COMPANIES))) {
      if (found.has(companyId)) continue
      found.set(companyId, { status: statusInUse(notAfter, now), notAfter, daysLeft: daysUntil(notAfter, now) })
    }
    await setImmediate()
  }
  return (companyId) => found.get(companyId) ?? NO_CERTIFICATE
}

const NO_CERTIFICATE: CompanyCertificate = { status: 'missing', notAfter: null, daysLeft: null }

export interface StatusDeps extends BlockerDeps {
  sync: () => Promise<SyncStatus | null>
  machineChanged: () => MachineChange | null
  probe: FiscalProbe
  clock: WatchedClock & ModeClocks & { state(): ClockState; writeMs(): number | null }
  conditions: () => ReadonlyMap<string, PrinterCondition>
  /** This process, as the table of processes names it. */
  here: Pick<ServingProcess, 'host' | 'pid'>
}

/** Whether this gateway, or `only` one device, can sell now, and if not, why; with the parked sales of a tenant. */
export async function gatewayStatus(deps: StatusDeps, tenantId: string, only?: Device): Promise<GatewayStatus> {
  const { store, probe, clock, lookAtDisk } = deps
  const asked = probe.lastKnown()
  const { problems, devices } = await findBlockers(deps, only)
  const misspelt = only ? [] : await misspeltSettings(store)
  const companies = (await store.companies.ours()).filter(({ id }) => only === undefined || id === only.companyId)
  const certificateOf = await companyCertificates(
    store,
    companies.map(({ id }) => id),
    clock.now(),
  )
  const queue = await store.invoices.queue()
  // The oldest sale has the earliest technical deadline.
  const oldestAt = queue.nextDeadlineAt === null ? null : queue.nextDeadlineAt - deadlineOf(0)
  return {
    // A server without own devices and without problems is in order.
    canSell: devices.able > 0 || (problems.length === 0 && devices.total === 0),
    problems: [...problems, ...misspelt],
    companies: companies.map((company) => ({ company, certificate: certificateOf(company.id) })),
    devices,
    queue,
    parked: await parkedOf(store, { tenantId, companyIds: null }),
    oldestAt,
    legalDeadlineAt: await nearestLegalDeadline(store),
    lastJirAt: only ? only.lastSuccessAt : (await store.devices.summary()).lastSuccessAt,
    cis: await asked,
    clock: clock.state(),
    disk: await lookAtDisk(),
    diskWriteMs: clock.writeMs(),
    printers: await printersOf(deps, only),
    lastBackupAt: await store.audit.latest('database.backed_up'),
    backedUpElsewhere: store.isShared,
    sync: await deps.sync(),
    machineChange: deps.machineChanged(),
    gateways: deps.role === 'server' ? await store.gateways.count() : 0,
    processes: (await store.processes.list()).map((one) => ({ ...one, isThisOne: isHere(one, deps.here) })),
  }
}

function isHere({ host, pid }: ServingProcess, here: StatusDeps['here']): boolean {
  return host === here.host && pid === here.pid
}

export async function printersOf(
  { store, conditions }: Pick<StatusDeps, 'store' | 'conditions'>,
  only: Device | undefined,
): Promise<PrinterStatus[]> {
  const known = conditions()
  const printers: PrinterStatus[] = []
  for (const { deviceId } of await store.printers.all()) {
    if (only && only.id !== deviceId) continue
    const device = await store.devices.get(deviceId)
    if (device) printers.push({ device, condition: withDevice(known.get(deviceId) ?? UNKNOWN_CONDITION, device.label) })
  }
  return printers
}

/** The status when there is no database to check. */
export function statusOfNothing(problem: BlockerText, clock: ClockState): GatewayStatus {
  return {
    canSell: false,
    problems: [{ cause: 'no_database', ...problem }],
    companies: [],
    devices: { total: 0, withoutIsu: 0, able: 0 },
    queue: { pending: 0, retrying: 0, failed: 0, expired: 0, nextDeadlineAt: null },
    parked: { count: 0, maySend: false },
    oldestAt: null,
    legalDeadlineAt: null,
    lastJirAt: null,
    cis: null,
    lastBackupAt: null,
    backedUpElsewhere: false,
    sync: null,
    machineChange: null,
    gateways: 0,
    processes: [],
    clock,
    disk: { freeBytes: null, room: 'everything' },
    diskWriteMs: null,
    printers: [],
  }
}
