import type { EpochMs } from '../../domain/instant.ts'
import type { CreatingContext } from '../context.ts'
import { heardAt, refusedOf, SILENT_AFTER_MS } from '../gateways/gateways.ts'
import type { WatchedClock } from '../ports/clock.ts'
import type { FleetConflict, GatewayRecord } from '../ports/gateways.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** The kinds of alerts about the fleet of a central server. */
const FLEET_ALERTS = [
  'gateway_silent',
  'gateway_duplicated',
  'sync_refused',
  'command_lapsed',
  'fleet_conflict',
] as const
export type FleetProblem = Finding & { kind: (typeof FLEET_ALERTS)[number] }

/** Raises an alert unless the same one is already raised. @returns false when it was already raised */
export function raiseProblem(
  { store, clock, newUuid }: CreatingContext,
  { tenantId, kind, subject, detail }: FleetProblem,
): Promise<boolean> {
  return store.alerts.raise({ id: newUuid(), tenantId, kind, subject, detail, raisedAt: clock.now() })
}

/** Of commands that have expired longer ago nobody is told any more. */
const REMEMBERED_MS = 30 * 24 * 3_600_000

/**
 * @param since start of this server: silence counts from here at the earliest, for a server that was off got no polls
 * @param clock whose proven time ends commands
 */
export function fleetRule(store: StoreTransaction, since: EpochMs, { proven }: Pick<WatchedClock, 'proven'>): Rule {
  return {
    kinds: FLEET_ALERTS,
    async look(now) {
      await store.gatewayCommands.expire(proven())
      return { found: await findProblems(store, now, since) }
    },
  }
}

async function findProblems(store: StoreTransaction, now: EpochMs, since: EpochMs): Promise<FleetProblem[]> {
  const counts = {
    refused: await store.gateways.refusals.counts(),
    lapsed: await store.gatewayCommands.lapsed(now - REMEMBERED_MS),
  }
  const gateways = await store.gateways.list(null)
  const problems = gateways.flatMap((gateway) => problemsOf(gateway, counts, now, since))
  for (const tenantId of new Set(gateways.map((gateway) => gateway.tenantId))) {
    problems.push(...(await store.gateways.conflicts(tenantId)).map((conflict) => conflictProblem(tenantId, conflict)))
  }
  return withSales(store, await withCompanies(store, problems))
}

/** Names the company of a gateway that sells for one only: its users are told, too. */
async function withCompanies(store: StoreTransaction, problems: FleetProblem[]): Promise<FleetProblem[]> {
  const sellsFor = new Map<string, string[]>()
  for (const tenantId of new Set(problems.map((problem) => problem.tenantId))) {
    for (const [gatewayId, ids] of await store.gateways.sellsFor(tenantId)) sellsFor.set(gatewayId, ids)
  }
  return problems.map((problem) => {
    const [company_id, ...others] = sellsFor.get(problem.subject) ?? []
    if (company_id === undefined || others.length > 0) return problem
    return { ...problem, detail: { ...problem.detail, company_id } }
  })
}

/** Adds how many invoices without a JIR a silent gateway has, because that makes it more serious. */
async function withSales(store: StoreTransaction, problems: FleetProblem[]): Promise<FleetProblem[]> {
  const silent = new Set(problems.filter(({ kind }) => kind === 'gateway_silent').map(({ tenantId }) => tenantId))
  const waiting = new Map<string, number>()
  for (const tenantId of silent) {
    for (const [gatewayId, count] of await store.gateways.withoutJir(tenantId)) waiting.set(gatewayId, count)
  }
  return problems.map((problem) => {
    if (problem.kind !== 'gateway_silent') return problem
    return { ...problem, detail: { ...problem.detail, without_jir: waiting.get(problem.subject) ?? 0 } }
  })
}

type Counts = Record<'refused' | 'lapsed', ReadonlyMap<string, number>>

function problemsOf(gateway: GatewayRecord, counts: Counts, now: EpochMs, since: EpochMs): FleetProblem[] {
  const { id, tenantId, name, credentialHash, revokedAt, duplicatedAt } = gateway
  if (credentialHash === null || revokedAt !== null) return []
  const about = { tenantId, subject: id }
  const lapsed = counts.lapsed.get(id) ?? 0
  const isSilent = now - Math.max(heardAt(gateway), since) >= SILENT_AFTER_MS
  return [
    ...(isSilent ? [{ ...about, kind: 'gateway_silent' as const, detail: { gateway: name } }] : []),
    ...(duplicatedAt === null ? [] : [{ ...about, kind: 'gateway_duplicated' as const, detail: { gateway: name } }]),
    ...(refusedOf(gateway, counts.refused) > 0
      ? [{ ...about, kind: 'sync_refused' as const, detail: { gateway: name } }]
      : []),
    ...(lapsed > 0 ? [{ ...about, kind: 'command_lapsed' as const, detail: { gateway: name, commands: lapsed } }] : []),
  ]
}

/** The subject contains the company or tenant, so that it is unique among all open alerts of the kind. */
export function conflictProblem(tenantId: string, { what, value, companyId, devices }: FleetConflict): FleetProblem {
  const subject = what === 'label' ? `label ${companyId} ${value}` : `isu_number ${tenantId} ${value}`
  // The same ISU number may stand at devices of several companies.
  const detail = {
    what,
    value,
    ...(what === 'label' && { company_id: companyId }),
    devices: devices.map(({ id }) => id),
  }
  return { tenantId, kind: 'fleet_conflict', subject, detail }
}
