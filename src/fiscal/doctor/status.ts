import { type CertificateStatus, certificateStatus, daysUntil } from '../../domain/certificate.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { PrinterCondition } from '../../domain/printer.ts'
import { deadlineOf } from '../../domain/sale/invoice.ts'
import { legalDeadlineOf } from '../../domain/working-days.ts'
import type { ClockState } from '../clock/clock-state.ts'
import type { SyncStatus } from '../gateways/sync-status.ts'
import type { ModeClocks, WatchedClock } from '../ports/clock.ts'
import type { Company, Device } from '../ports/model.ts'
import type { Queue } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Parked, parkedOf } from '../sales/answer-trust.ts'
import type { FiscalHealth, FiscalProbe } from '../sales/authority-probe.ts'
import type { DiskSpace } from '../sales/disk-space.ts'
import type { BlockerText, DeviceCounts } from './blocker.ts'
import { type BlockerDeps, findBlockers } from './sale-blockers.ts'

export interface CompanyStatus {
  company: Company
  certificate: CompanyCertificate
}

export interface CompanyCertificate {
  status: 'missing' | Extract<CertificateStatus, 'valid' | 'expiring' | 'expired'>
  notAfter: EpochMs | null
  daysLeft: number | null
}

export interface PrinterStatus {
  device: Pick<Device, 'id' | 'label' | 'tenantId'>
  condition: PrinterCondition
}

export interface GatewayStatus {
  /** Some device can sell and get a JIR. A problem of others does not stop it. */
  canSell: boolean
  problems: BlockerText[]
  companies: CompanyStatus[]
  devices: DeviceCounts
  queue: Queue
  /** Those of the failed ones that a JIR came for which could not be believed: of one tenant, which can send them. */
  parked: Parked
  /** When the oldest sale was made that still can get its JIR, and when it should have been delivered by law. */
  oldestAt: EpochMs | null
  legalDeadlineAt: EpochMs | null
  lastJirAt: EpochMs | null
  /** Null before the tax authority was asked for the first time. */
  cis: FiscalHealth | null
  clock: ClockState
  disk: DiskSpace
  printers: PrinterStatus[]
  lastBackupAt: EpochMs | null
  /** Others than fiskd make the backups: those who run the database server. */
  backedUpElsewhere: boolean
  /** Null when it has no central server. */
  sync: SyncStatus | null
}

/** What these companies sign with now, by their ids. */
export async function companyCertificates(
  store: Pick<StoreTransaction, 'certificates'>,
  companyIds: string[],
  now: EpochMs,
): Promise<(companyId: string) => CompanyCertificate> {
  const found = new Map<string, CompanyCertificate>()
  for (const id of companyIds) found.set(id, await companyCertificate(store, id, now))
  return (companyId) => found.get(companyId) ?? NO_CERTIFICATE
}

const NO_CERTIFICATE: CompanyCertificate = { status: 'missing', notAfter: null, daysLeft: null }

/** The certificate a company signs with, here or at its gateways, as it is read now. */
export async function companyCertificate(
  store: Pick<StoreTransaction, 'certificates'>,
  companyId: string,
  now: EpochMs,
): Promise<CompanyCertificate> {
  const certificate = await store.certificates.shown(companyId)
  if (!certificate) return NO_CERTIFICATE
  const status = certificateStatus(certificate, now)
  return {
    status: status === 'superseded' || status === 'revoked' ? 'missing' : status,
    notAfter: certificate.notAfter,
    daysLeft: daysUntil(certificate.notAfter, now),
  }
}

export interface StatusDeps extends BlockerDeps {
  sync: () => Promise<SyncStatus | null>
  probe: FiscalProbe
  clock: WatchedClock & ModeClocks & { state(): ClockState }
  conditions: () => ReadonlyMap<string, PrinterCondition>
}

/**
 * Can this gateway sell right now, and if not, why.
 * @param tenantId whose parked sales are counted
 * @param only whether this device can
 */
export async function gatewayStatus(deps: StatusDeps, tenantId: string, only?: Device): Promise<GatewayStatus> {
  const { store, probe, clock, lookAtDisk } = deps
  const asked = probe.lastKnown()
  const { problems, devices } = await findBlockers(deps, only)
  const companies = (await store.companies.ours()).filter(({ id }) => only === undefined || id === only.companyId)
  const certificateOf = await companyCertificates(
    store,
    companies.map(({ id }) => id),
    clock.now(),
  )
  const queue = await store.invoices.queue()
  // The oldest sale has the nearest deadlines, both of them.
  const oldestAt = queue.nextDeadlineAt === null ? null : queue.nextDeadlineAt - deadlineOf(0)
  return {
    // A server that sells nothing itself and lacks nothing is in order.
    canSell: devices.able > 0 || (problems.length === 0 && devices.total === 0),
    problems,
    companies: companies.map((company) => ({ company, certificate: certificateOf(company.id) })),
    devices,
    queue,
    parked: await parkedOf(store, { tenantId }),
    oldestAt,
    legalDeadlineAt: oldestAt === null ? null : legalDeadlineOf(oldestAt),
    lastJirAt: only ? only.lastSuccessAt : (await store.devices.summary()).lastSuccessAt,
    cis: await asked,
    clock: clock.state(),
    disk: await lookAtDisk(),
    printers: await printersOf(deps, only),
    lastBackupAt: await store.audit.latest('database.backed_up'),
    backedUpElsewhere: store.isShared,
    sync: await deps.sync(),
  }
}

const UNKNOWN: PrinterCondition = { state: 'unknown', paper: null, cover: null, error: null, detail: null, fix: null }

export async function printersOf(
  { store, conditions }: Pick<StatusDeps, 'store' | 'conditions'>,
  only: Device | undefined,
): Promise<PrinterStatus[]> {
  const known = conditions()
  const printers: PrinterStatus[] = []
  for (const { deviceId } of await store.printers.all()) {
    if (only && only.id !== deviceId) continue
    const device = await store.devices.get(deviceId)
    if (device) printers.push({ device, condition: known.get(deviceId) ?? UNKNOWN })
  }
  return printers
}

/** What is told when there is nothing to look at. */
export function statusOfNothing(problem: BlockerText, clock: ClockState): GatewayStatus {
  return {
    canSell: false,
    problems: [problem],
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
    clock,
    disk: { freeBytes: null, room: 'everything' },
    printers: [],
  }
}
