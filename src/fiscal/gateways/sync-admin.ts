import { conflict, invalidRequest } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { confirmNumbers, doubtfulNumbers, isDoubted } from '../numbering/doubtful-numbers.ts'
import type { CentralServer, SyncState } from '../ports/central-server.ts'
import type { Enrolment } from '../ports/enrolment.ts'
import type { Sequence } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import { createReplacement } from './replacement.ts'
import type { CountBacklog, NewEnrolment, SyncStatus } from './sync-status.ts'

export interface SyncAdminDeps extends Context {
  server: CentralServer
  backlog: CountBacklog
  /** The address that is configured; null for that of the enrolment. */
  url: string | null
  maxKbps: number | null
}

/** Whom the server does not take any more, or who cannot say who it is, may come again with a new token. */
const MAY_ENROL_AGAIN: ReadonlySet<SyncState> = new Set(['revoked', 'duplicated', 'unreadable'])

export type SyncAdmin = ReturnType<typeof createSyncAdmin>

export function createSyncAdmin(deps: SyncAdminDeps) {
  const { store, clock, server } = deps

  async function status(): Promise<SyncStatus | null> {
    const enrolment = await store.enrolment.get()
    return enrolment?.gatewayId ? statusOf(deps, enrolment) : null
  }

  async function enrolled(): Promise<SyncStatus> {
    const found = await status()
    if (found) return found
    throw conflict('gateway', 'this gateway is not enrolled at a central server: fisk sync enroll URL TOKEN')
  }

  return {
    replacement: createReplacement({ store, clock, server }),
    /** Null while it is not enrolled. */
    status,
    /** The rows that are set aside, the latest first. */
    refusals: (limit: number) => store.enrolment.refusals.list(limit),
    /** @throws FiskError when the server refuses or is not reachable, and when this gateway is already enrolled */
    async enroll(principal: Principal, { url, token, caPem }: NewEnrolment): Promise<SyncStatus> {
      const address = url ?? deps.url
      if (address === null) throw invalidRequest('url', 'say the address of the server: fisk sync enroll URL TOKEN')
      await server.apart(async () => {
        const current = await store.enrolment.get()
        if (current?.gatewayId && !MAY_ENROL_AGAIN.has(server.state().name)) {
          throw conflict('gateway', `this gateway is enrolled at ${current.url} already: fisk sync leave comes first`)
        }
        await server.enrol({ url: address, token, caPem, tenantId: DEFAULT_TENANT })
        await audit(store, principal, clock.now(), 'sync.enrolled', { server: address })
      })
      return enrolled()
    },
    /** Sends changes at once, including refused rows. @throws FiskError 409 when it is not enrolled */
    async now(): Promise<SyncStatus> {
      await enrolled()
      await server.tellNow()
      return enrolled()
    },
    doubtfulNumbers: () => doubtfulNumbers(store),
    /** @throws FiskError 409 when the server no longer sends a number, or it would leave none to sell with */
    async confirmNumbers(
      principal: Principal,
      numbers: readonly (Sequence & { highest: string })[],
    ): Promise<SyncStatus> {
      await enrolled()
      await confirmNumbers(store, principal, numbers, clock.now())
      return enrolled()
    },
    /** Removes the enrolment, not its rows. @returns whether the server was told @throws FiskError 409 without one */
    async leave(principal: Principal): Promise<{ told: boolean; server: string }> {
      const { server: address } = await enrolled()
      const told = await server.apart(async () => {
        const isKnown = await server.tellLeaving()
        await store.transaction(async (tx) => {
          await tx.enrolment.remove()
          await audit(tx, principal, clock.now(), 'sync.left', { server: address, told: isKnown })
        })
        return isKnown
      })
      return { told, server: address }
    },
  }
}

async function statusOf(deps: SyncAdminDeps, enrolment: Enrolment): Promise<SyncStatus> {
  const { store, url, maxKbps } = deps
  const { name, conflicts, ...link } = deps.server.state()
  const { tenantId, position } = enrolment
  const others = (await store.companies.all()).map((company) => company.tenantId).filter((id) => id !== tenantId)
  const tenants = new Map((await store.tenants.list()).map((one) => [one.id, one.name]))
  return {
    ...link,
    state: name,
    server: url ?? enrolment.url,
    serverId: enrolment.serverId,
    serverProgram: enrolment.serverProgram,
    gatewayId: enrolment.gatewayId,
    gateway: enrolment.name,
    tenantId,
    enrolledAt: enrolment.enrolledAt,
    ...(await deps.backlog(position)),
    doubtful: enrolment.numbers.filter(isDoubted).length,
    lastPushAt: enrolment.toldAt,
    tellsAgain: enrolment.tellAgainTo !== null,
    maxKbps,
    otherTenants: [...new Set(others)].map((id) => tenants.get(id) ?? id),
    conflicts: conflicts.map(({ what, value, message }) => ({ what, value, message })),
  }
}
