import { hostname } from 'node:os'
import { findBlockers } from '../../fiscal/doctor/blockers/sale-blockers.ts'
import { processObstacles, serviceHealth } from '../../fiscal/doctor/service-health.ts'
import { type GatewayStatus, gatewayStatus } from '../../fiscal/doctor/status.ts'
import type { SyncAdmin } from '../../fiscal/gateways/sync-admin.ts'
import { createMachines } from '../../fiscal/machines/machines.ts'
import { sequencesEnding } from '../../fiscal/numbering/current-sequences.ts'
import { createOverview } from '../../fiscal/office/overview.ts'
import type { Device } from '../../fiscal/ports/model.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import { printersHealth } from '../../fiscal/printing/printers.ts'
import { cacheVerdicts } from '../../fiscal/registry/cached-chain-verdicts.ts'
import { findDevice } from '../../fiscal/registry/devices.ts'
import type { MachineIdentity } from '../../fiscal/registry/machine-identity.ts'
import type { SigningIdentities } from '../../fiscal/registry/signing-identities.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { DEFAULT_TENANT } from '../../store/store.ts'
import { type Facts, readStored } from '../metrics/facts.ts'
import { VERSION } from '../version.ts'
import type { Authority } from './authority.ts'
import type { Base } from './base.ts'

export type StatusDeps = Base & {
  spool: Pick<Spool, 'conditions'>
  authority: Authority
  identities: SigningIdentities
  sync: SyncAdmin
  machine: MachineIdentity
}

export function composeStatus(deps: StatusDeps) {
  const { store, clock, log, lookAtDisk, issued, identities, sync, machine } = deps
  const { chains, trust, probe, isClosed } = deps.authority
  const { conditions } = deps.spool
  const seeing = {
    store,
    identities,
    chains: cacheVerdicts(chains),
    trust,
    probe,
    clock,
    lookAtDisk,
    conditions,
    issued,
    machineChanged: machine.changed,
  }
  const health = {
    // A read is fast where a write is not.
    ping: async () => Math.max(await store.ping(), clock.writeMs() ?? 0),
    lookAtDisk,
    lookAtClock: clock.state,
    lookAtPrinters: () => printersHealth([...conditions().values()]),
    countEnding: async () => (await sequencesEnding(store, clock.now())).length,
    findObstacles: () => processObstacles({ store, trust, clock, issued, deploymentMode: deps.config.deploymentMode }),
    report: (problem: string, error: unknown) => log.error({ err: error }, problem),
  }
  const here = { host: hostname(), pid: process.pid }
  const statusOf = (tenantId: string, device?: Device): Promise<GatewayStatus> =>
    gatewayStatus({ ...seeing, role: deps.config.role, sync: sync.status, here }, tenantId, device)
  const status: AdminUseCases['status'] = async (principal, deviceId) =>
    statusOf(principal.tenantId, deviceId === undefined ? undefined : await findDevice(store, principal, deviceId))
  return {
    useCases: { health: () => serviceHealth(health), fiscalHealth: probe.ask },
    status,
    /** Of the default tenant. */
    own: () => statusOf(DEFAULT_TENANT),
    machines: createMachines({ ...seeing, version: VERSION }),
    overview: createOverview({ ...seeing, role: deps.config.role, isClosed }),
    /** What a monitoring system wants to know; null for what cannot be told. */
    facts: async (): Promise<Facts> => ({
      stored: await readStored(store, clock.now()).catch(() => null),
      devices: (await findBlockers(seeing).catch(() => null))?.devices ?? null,
      diskFreeBytes: (await lookAtDisk()).freeBytes,
      clock: clock.state(),
      sync: await sync.status().catch(() => null),
      printers: conditions(),
      alerts: await store.alerts.standing({ tenantId: null, companyIds: null }).catch(() => null),
    }),
  }
}
