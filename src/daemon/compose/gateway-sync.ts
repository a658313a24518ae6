import { succeeds } from '../../domain/attempt.ts'
import { createSyncAdmin } from '../../fiscal/gateways/sync-admin.ts'
import { createBacklog } from '../../fiscal/gateways/sync-status.ts'
import { createServerFirst } from '../../fiscal/numbering/ask-server-first.ts'
import { learnNumbers } from '../../fiscal/numbering/learned-numbers.ts'
import { createLostRecords } from '../../fiscal/numbering/lost-records.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import { DEFAULT_TENANT } from '../../store/store.ts'
import { createPremisesAuthority } from '../../sync/gateway/claim.ts'
import { type ConnectionDeps, createConnection, createThrottle } from '../../sync/gateway/connection.ts'
import { enrol } from '../../sync/gateway/enrol.ts'
import type { LearnNumbers } from '../../sync/gateway/handshake.ts'
import { askIdentity, keptPredecessor, skipAtServer } from '../../sync/gateway/identity.ts'
import { createUplink } from '../../sync/gateway/uplink.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'
import type { Base } from './base.ts'
import { createEvent } from './event.ts'

export type GatewaySyncDeps = Pick<Base, 'store' | 'vault' | 'elapsed' | 'log' | 'newUuid' | 'liveSales' | 'issued'> & {
  config: Pick<Config, 'syncUrl' | 'syncMaxKbps'>
  clock: Clock
  /** How a server is reached; over the network when left out. */
  transportTo?: ConnectionDeps['transportTo']
}

const LEAVE_MS = 10_000
const IDENTITY_MS = 50_000

export type GatewaySync = ReturnType<typeof composeGatewaySync>

export function composeGatewaySync(deps: GatewaySyncDeps) {
  const { config, store, vault, clock, elapsed, newUuid, liveSales, issued, log } = deps
  const { now } = clock
  const transport = deps.transportTo && { transportTo: deps.transportTo }
  const throttle = createThrottle(config.syncMaxKbps, elapsed)
  const connection = createConnection({
    store,
    vault,
    session: newUuid(),
    url: config.syncUrl,
    throttle,
    now,
    log,
    ...transport,
  })
  const learn: LearnNumbers = (tx, seen, at, isBelieved) =>
    learnNumbers(tx, { id: 'server', tenantId: DEFAULT_TENANT }, seen, at, isBelieved)
  const lostRecords = createLostRecords({ store, now, newUuid })
  const handshake = { store, keep: store.meta, program: VERSION, now, log, learn, noteLost: lostRecords.note }
  const isEnrolled = async () => Boolean((await store.enrolment.get())?.gatewayId)
  const serverFirst = createServerFirst({ isEnrolled, elapsed })
  const greeted = createEvent()
  const uplink = createUplink({
    ...handshake,
    connection,
    throttle,
    quiet: liveSales.quiet,
    elapsed,
    async onNumbers() {
      // Lost sales that the server has are accounted for: their numbers are out of use now.
      if (issued.lost().length > 0) await issued.compare()
      serverFirst.answered()
    },
    onGreeted: greeted.tell,
  })
  const premises = createPremisesAuthority({ ...handshake, connection, onNotAsked: uplink.greetFirst })
  const backlog = createBacklog(store, elapsed)
  const predecessor = () => keptPredecessor(store.meta)
  const leaving = { path: '/leave', body: { json: '{}' }, timeoutMs: LEAVE_MS } as const
  const useCases = createSyncAdmin({
    store,
    clock,
    server: {
      state: uplink.state,
      tellNow: uplink.pushNow,
      apart: uplink.apart,
      enrol: (order) => enrol({ ...handshake, ...transport, vault }, order),
      identity: () => askIdentity({ store, connection, program: VERSION }, AbortSignal.timeout(IDENTITY_MS)),
      skip: (numbers) => skipAtServer(connection, numbers, AbortSignal.timeout(IDENTITY_MS)),
      predecessor,
      tellLeaving: () => succeeds(connection.tell(leaving)),
    },
    backlog,
    url: config.syncUrl,
    maxKbps: config.syncMaxKbps,
  })
  return {
    useCases,
    connection,
    premises,
    uplink,
    backlog,
    /** What the server knew at the enrolment of the machine before; null when it said nothing. */
    predecessor,
    /** Resolves when a number may be given out. */
    beforeNumber: serverFirst.beforeNumber,
    noteStart: lostRecords.begin,
    onGreeted: greeted.on,
    start() {
      serverFirst.begin()
      uplink.start()
    },
    async close() {
      await uplink.close()
      await connection.close()
    },
  }
}
