import { setImmediate } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import { AGES, type Age, ageSpans } from '../../domain/sale/invoice-age.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { limitKey, type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import { cachingFor } from '../cached-results.ts'
import type { ClockState } from '../clock/describe-clock.ts'
import type { Blocker, DeviceCounts } from '../doctor/blockers/blocker.ts'
import { findBlockers } from '../doctor/blockers/sale-blockers.ts'
import {
  type CompanyCertificate,
  companyCertificates,
  type PrinterStatus,
  printersOf,
  type StatusDeps,
} from '../doctor/status.ts'
import { type GatewaySummary, listGateways } from '../gateways/gateways.ts'
import { JOB_BOUNDS } from '../jobs/jobs.ts'
import type { Company } from '../ports/model.ts'
import type { Figures, SalesOf } from '../ports/rows/sales.ts'
import { type Parked, parkedOf } from '../sales/answer-trust.ts'
import type { FiscalHealth } from '../sales/authority-probe.ts'
import type { DiskSpace } from '../sales/disk-space.ts'

export interface Overview {
  at: EpochMs
  mode: Mode
  /** The modes of the tenant's active companies. */
  modes: Mode[]
  /** What this database sells itself, without gateways. */
  own: { devices: DeviceCounts; problems: Blocker[] }
  /** For a central server; null for a gateway. */
  gateways: GatewaySummary[] | null
  sales: SalesFigures
  /** The failed invoices by their cause, the most frequent first; null where there are too many to look at. */
  failures: Awaited<ReturnType<Figures['failedByCause']>> | null
  parked: Parked
  /** The certificate of each active company, the earliest end first. */
  certificates: { company: Pick<Company, 'id' | 'name'>; certificate: CompanyCertificate }[]
  /** Printers of the tenant's devices that are connected here. */
  printers: PrinterStatus[]
  /** Null before the first request to the authority. */
  authority: { health: FiscalHealth; closedByTimetable: boolean } | null
  clock: ClockState
  disk: DiskSpace
}

export interface OverviewDeps extends Omit<StatusDeps, 'sync' | 'here'> {
  role: 'gateway' | 'server'
  /** Whether the tax authority's service is closed according to its timetable. */
  isClosed(mode: Mode, at: EpochMs): boolean
}

const LASTS_MS = 10_000
const MOST_COMPANIES = 5000
/** As many as can be sent again at once. */
const MOST_FAILURES = JOB_BOUNDS.rows.most

export function createOverview(deps: OverviewDeps) {
  const remembered = cachingFor<Overview>(deps.clock, LASTS_MS)
  return {
    /** By default of the live mode, if in use; cached for up to ten seconds. @throws FiskError `insufficient_scope` */
    async overview(principal: Principal, mode?: Mode): Promise<Overview> {
      requireScope(principal, 'fleet:read')
      requireScope(principal, 'invoices:read')
      const { tenantId } = principal
      return remembered(JSON.stringify([tenantId, limitKey(principal), mode]), () => overviewOf(deps, principal, mode))
    },
  }
}

async function overviewOf(deps: OverviewDeps, principal: Principal, wanted: Mode | undefined): Promise<Overview> {
  const { store, clock, role, lookAtDisk } = deps
  const { tenantId, companyIds } = principal
  const asked = authorityOf(deps)
  const active = { tenantId, mode: null, companyIds, status: 'active' } as const
  const companies = await store.companies.list(active, { limit: MOST_COMPANIES })
  const modes = (['live', 'test'] as const).filter((one) => companies.some((company) => company.mode === one))
  const mode = wanted ?? modes[0] ?? 'test'
  const at = clock.now()
  const of = { tenantId, mode, companyIds }
  const sales = await salesFigures(store.figures, of, at)
  return {
    at,
    mode,
    modes,
    own: await findBlockers(deps, undefined, { tenantId, companyIds }),
    gateways: role === 'server' ? await listGateways(deps, principal) : null,
    sales,
    failures: sales.failed > MOST_FAILURES ? null : await store.figures.failedByCause(of, MOST_FAILURES),
    parked: await parkedOf(store, of),
    certificates: await certificatesOf(deps, companies, at),
    printers: (await printersOf(deps, undefined)).filter(
      ({ device }) => device.tenantId === tenantId && reachesCompany(principal, device.companyId),
    ),
    authority: await asked,
    clock: clock.state(),
    disk: await lookAtDisk(),
  }
}

async function authorityOf({ probe, isClosed, clock }: OverviewDeps): Promise<Overview['authority']> {
  // Only the first caller waits for a moment.
  const health = probe.known() ?? (await probe.lastKnown())
  return health && { health, closedByTimetable: isClosed(health.mode, clock.now()) }
}

async function certificatesOf({ store }: OverviewDeps, companies: Company[], now: EpochMs) {
  const ids = companies.map(({ id }) => id)
  const certificateOf = await companyCertificates(store, ids, now)
  const found = companies.map(({ id, name }) => ({ company: { id, name }, certificate: certificateOf(id) }))
  const end = ({ certificate }: Overview['certificates'][number]) => certificate.notAfter ?? 0
  return found.sort((one, other) => end(one) - end(other))
}

export interface SalesFigures {
  /** Invoices that will be sent automatically. */
  waiting: number
  /** Invoices that need an action first. */
  failed: number
  expired: number
  /** The oldest sale that can still be confirmed; null when there is none. */
  oldestAt: EpochMs | null
  /** Invoices without a JIR, by age. */
  ages: Record<Age, number>
}

/** What lacks a JIR of a tenant's sales in a mode. Pauses for other work after each query. */
export async function salesFigures(figures: Figures, part: SalesOf, now: EpochMs): Promise<SalesFigures> {
  const spans = ageSpans(now)
  const found = { waiting: 0, failed: 0, expired: 0, oldestAt: null as EpochMs | null }
  const ages: Record<Age, number> = { young: 0, older: 0, day_21: 0, day_25: 0, day_28: 0, too_late: 0 }
  for (const age of AGES) {
    for (const { status, count, oldestAt } of await figures.unconfirmed(part, spans[age])) {
      ages[status === 'expired' ? 'too_late' : age] += count
      found[status === 'pending' || status === 'retrying' ? 'waiting' : status] += count
      if (status !== 'expired') found.oldestAt = Math.min(found.oldestAt ?? oldestAt, oldestAt)
    }
    await setImmediate()
  }
  return { ...found, ages }
}
