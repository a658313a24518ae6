import type { Logger } from 'pino'
import { conflict, invalidRequest } from '../../domain/errors.ts'
import { audit } from '../../fiscal/access/audit-log.ts'
import type { GatewayStatus } from '../../fiscal/doctor/status.ts'
import type { SyncAdmin, SyncStatus } from '../../fiscal/gateways/sync-status.ts'
import { confirmNumbers, doubtfulNumbers, isDoubted } from '../../fiscal/numbering/doubtful-numbers.ts'
import { learnNumbers } from '../../fiscal/numbering/learned-numbers.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import type { Heartbeat, PremisesAuthority } from '../../fiscal/ports/gateways.ts'
import type { LiveSales } from '../../fiscal/sales/live-sales.ts'
import type { OpenStore } from '../../store/store.ts'
import { DEFAULT_TENANT } from '../../store/store.ts'
import { createPremisesAuthority } from '../../sync/gateway/claim.ts'
import { type Connection, createConnection } from '../../sync/gateway/connection.ts'
import { enrol } from '../../sync/gateway/enrol.ts'
import { createThrottle } from '../../sync/gateway/throttle.ts'
import { createUplink, type Uplink } from '../../sync/gateway/uplink.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'
import { createEvent } from './event.ts'
import { heartbeatOf } from './heartbeat-facts.ts'
import { createBacklog } from './sync-backlog.ts'

/** What ties a gateway to its central server. */
export interface GatewaySync {
  useCases: SyncAdmin
  connection: Connection
  /** Who sells where. */
  premises: PremisesAuthority
  uplink: Pick<Uplink, 'start' | 'nudge' | 'greeted' | 'close'>
  /** The server has heard this process. */
  onGreeted(listener: () => void): void
  heartbeat(status: GatewayStatus): Promise<Heartbeat>
}

export interface GatewaySyncDeps {
  config: Pick<Config, 'syncUrl' | 'syncMaxKbps'>
  store: OpenStore
  vault: Vault
  now: () => number
  elapsed: () => number
  log: () => Pick<Logger, 'info' | 'warn' | 'error'>
  newUuid: () => string
  liveSales: LiveSales
}

const LEAVE_MS = 10_000
const REFUSED_STATES = new Set(['revoked', 'duplicated', 'unreadable'])

export function composeGatewaySync(deps: GatewaySyncDeps): GatewaySync {
  const { config, store, vault, now, elapsed, newUuid, liveSales } = deps
  const startedAt = elapsed()
  const log = {
    info: (facts: object, message: string) => deps.log().info(facts, message),
    warn: (facts: object, message: string) => deps.log().warn(facts, message),
    error: (facts: object, message: string) => deps.log().error(facts, message),
  }
  const throttle = createThrottle(config.syncMaxKbps, elapsed)
  const connection = createConnection({
    store,
    vault,
    session: newUuid(),
    url: config.syncUrl,
    throttle,
    now,
    log,
  })
  const server = { id: 'server', tenantId: DEFAULT_TENANT }
  const greeting = {
    store,
    keep: store.meta,
    program: VERSION,
    now,
    log,
    learn: (...[tx, seen, at, isBelieved]: Parameters<Parameters<typeof createUplink>[0]['learn']>) =>
      learnNumbers(tx, server, seen, at, isBelieved),
  }
  const greeted = createEvent()
  const uplink = createUplink({
    ...greeting,
    connection,
    throttle,
    quiet: liveSales.quiet,
    elapsed,
    onGreeted: greeted.tell,
  })
  const premises = createPremisesAuthority({ ...greeting, connection, onNotAsked: uplink.greetFirst })

  const backlog = createBacklog(store, elapsed)

  async function status(): Promise<SyncStatus | null> {
    const enrolment = await store.enrolment.get()
    return enrolment?.gatewayId ? statusOf(enrolment, enrolment.gatewayId) : null
  }

  async function statusOf(enrolment: Enrolment, gatewayId: string): Promise<SyncStatus> {
    const { name, since, lastError, nextTryAt, conflicts, clockAheadMs, heard } = uplink.state()
    const { tenantId, serverId, serverProgram, enrolledAt, toldAt, position, tellAgainTo } = enrolment
    const others = (await store.companies.all()).map((company) => company.tenantId).filter((id) => id !== tenantId)
    const tenants = new Map((await store.tenants.list()).map((one) => [one.id, one.name]))
    return {
      ...{ state: name, since, server: config.syncUrl ?? enrolment.url, serverId, serverProgram },
      ...{ gatewayId, gateway: enrolment.name, tenantId, enrolledAt, ...(await backlog(position)) },
      ...{
        heard,
        doubtful: enrolment.numbers.filter(isDoubted).length,
        lastPushAt: toldAt,
        lastError,
        nextTryAt,
        tellsAgain: tellAgainTo !== null,
        maxKbps: config.syncMaxKbps,
        clockAheadMs,
      },
      otherTenants: [...new Set(others)].map((id) => tenants.get(id) ?? id),
      conflicts: conflicts.map(({ what, value, message }) => ({ what, value, message })),
    }
  }

  async function enrolled(): Promise<SyncStatus> {
    const found = await status()
    if (found) return found
    throw conflict('gateway', 'this gateway is not enrolled at a central server: fisk sync enroll URL TOKEN')
  }

  const useCases: SyncAdmin = {
    status,
    refusals: (limit) => store.enrolment.refusals.list(limit),
    async enroll(principal, { url, token, caPem }) {
      const address = url ?? config.syncUrl
      if (address === null) throw invalidRequest('url', 'say the address of the server: fisk sync enroll URL TOKEN')
      await uplink.apart(async () => {
        const current = await store.enrolment.get()
        // Whom the server does not take any more, or who cannot say who it is, may come again with a new token.
        if (current?.gatewayId && !REFUSED_STATES.has(connection.state().name)) {
          throw conflict('gateway', `this gateway is enrolled at ${current.url} already: fisk sync leave comes first`)
        }
        await enrol({ ...greeting, vault }, { url: address, token, caPem, tenantId: DEFAULT_TENANT })
        await audit(store, principal, now(), 'sync.enrolled', { server: address })
      })
      return enrolled()
    },
    async now() {
      await enrolled()
      await uplink.pushNow()
      return enrolled()
    },
    doubtfulNumbers: () => doubtfulNumbers(store),
    async confirmNumbers(principal, numbers) {
      await enrolled()
      await confirmNumbers(store, principal, numbers, now())
      return enrolled()
    },
    async leave(principal) {
      const { server: address } = await enrolled()
      let told = false
      await uplink.apart(async () => {
        const leave = { method: 'POST', path: '/leave', body: { json: '{}' }, timeoutMs: LEAVE_MS } as const
        told = await connection.tell(leave).then(
          () => true,
          () => false,
        )
        await store.transaction(async (tx) => {
          await tx.enrolment.remove()
          await audit(tx, principal, now(), 'sync.left', { server: address, told })
        })
      })
      return { told, server: address }
    },
  }

  return {
    useCases,
    connection,
    premises,
    uplink,
    onGreeted: greeted.on,
    async heartbeat(gateway) {
      const enrolment = await store.enrolment.get()
      const facts = { version: VERSION, uptimeMs: elapsed() - startedAt, now: now() }
      return heartbeatOf(gateway, { ...facts, outbox: await backlog(enrolment?.position ?? 0) })
    },
  }
}

/** For a central server. */
export function noServerAbove(): SyncAdmin {
  const refuse = async (): Promise<never> => {
    throw conflict('role', 'this fiskd is a central server itself: gateways are enrolled at it, see fisk gateway add')
  }
  const none = async () => []
  const nothing = { status: async () => null, refusals: none, doubtfulNumbers: none }
  return { ...nothing, enroll: refuse, now: refuse, leave: refuse, confirmNumbers: refuse }
}
