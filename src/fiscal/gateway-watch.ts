import type { EpochMs } from '../domain/instant.ts'
import { heardAt, SILENT_AFTER_MS } from './gateways.ts'
import type { Lease } from './lease.ts'
import type { JsonObject } from './model.ts'
import type { Clock } from './ports.ts'
import type { Store } from './store-port.ts'
import type { FleetConflict, GatewayRecord } from './sync-port.ts'

/** What is wrong with the fleet, by the kinds of alerts. */
export const FLEET_ALERTS = ['gateway_silent', 'gateway_duplicated', 'sync_refused', 'fleet_conflict'] as const
export type FleetAlert = (typeof FLEET_ALERTS)[number]

export interface FleetProblem {
  tenantId: string
  kind: FleetAlert
  /** The id of a gateway, or what clashes. */
  subject: string
  detail: JsonObject
}

export interface GatewayWatchDeps {
  store: Store
  clock: Clock
  newUuid: () => string
  /** Told once, when it begins and when it is over. */
  onRaised: (problem: FleetProblem) => void
  onResolved: (problem: Pick<FleetProblem, 'kind' | 'subject'> & { detail: JsonObject }) => void
}

/** Raises an alert for a problem that nobody has raised yet. */
export async function raiseProblem(
  { store, clock, newUuid, onRaised }: Omit<GatewayWatchDeps, 'onResolved'>,
  problem: FleetProblem,
): Promise<void> {
  if (await store.alerts.raise({ id: newUuid(), ...problem, raisedAt: clock.now() })) onRaised(problem)
}

/**
 * Looks over the fleet: what is wrong is an alert, once, until it is right again.
 * @param since a server that was off has heard of nobody: silence counts from here at the earliest
 * @param lease of several processes one looks
 */
export function createGatewayWatch(deps: GatewayWatchDeps & { lease: Lease }, since: EpochMs): () => Promise<void> {
  const { store, clock, lease, onResolved } = deps
  return async () => {
    if (!(await lease.hold())) return
    const problems = await findProblems(store, clock.now(), since)
    const wrong = new Set(problems.map(keyOf))
    const open = (await store.alerts.open(null)).filter(({ kind }) => FLEET_ALERTS.includes(kind as FleetAlert))
    const raised = new Set(open.map(keyOf))
    for (const problem of problems) if (!raised.has(keyOf(problem))) await raiseProblem(deps, problem)
    for (const alert of open) {
      if (wrong.has(keyOf(alert))) continue
      const { kind, subject, detail } = alert
      if (await store.alerts.resolve(kind, subject, clock.now())) {
        onResolved({ kind: kind as FleetAlert, subject, detail })
      }
    }
  }
}

const keyOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`

async function findProblems(store: Store, now: EpochMs, since: EpochMs): Promise<FleetProblem[]> {
  const refused = await store.gateways.refusals.counts()
  const gateways = await store.gateways.list(null)
  const problems = gateways.flatMap((gateway) => problemsOf(gateway, refused.get(gateway.id) ?? 0, now, since))
  for (const tenantId of new Set(gateways.map((gateway) => gateway.tenantId))) {
    problems.push(...(await store.gateways.conflicts(tenantId)).map((conflict) => conflictProblem(tenantId, conflict)))
  }
  return problems
}

function problemsOf(gateway: GatewayRecord, refused: number, now: EpochMs, since: EpochMs): FleetProblem[] {
  const { id, tenantId, name, credentialHash, revokedAt, duplicatedAt } = gateway
  if (credentialHash === null || revokedAt !== null) return []
  const about = { tenantId, subject: id }
  const isSilent = now - Math.max(heardAt(gateway), since) >= SILENT_AFTER_MS
  return [
    ...(isSilent ? [{ ...about, kind: 'gateway_silent' as const, detail: { gateway: name } }] : []),
    ...(duplicatedAt === null ? [] : [{ ...about, kind: 'gateway_duplicated' as const, detail: { gateway: name } }]),
    ...(refused === 0 ? [] : [{ ...about, kind: 'sync_refused' as const, detail: { gateway: name } }]),
  ]
}

/** The subject names the tenant: of all open alerts of a kind it is unique. */
export function conflictProblem(tenantId: string, { what, value, companyId, devices }: FleetConflict): FleetProblem {
  const subject = what === 'label' ? `label ${companyId} ${value}` : `isu_number ${tenantId} ${value}`
  const detail = { what, value, company_id: companyId, devices: devices.map(({ id }) => id) }
  return { tenantId, kind: 'fleet_conflict', subject, detail }
}
