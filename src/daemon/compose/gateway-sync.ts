import type { Logger } from 'pino'
import { createSyncAdmin } from '../../fiscal/gateways/sync-admin.ts'
import { type CountBacklog, createBacklog } from '../../fiscal/gateways/sync-backlog.ts'
import type { SyncAdmin } from '../../fiscal/gateways/sync-status.ts'
import { createServerFirst, type ServerFirst } from '../../fiscal/numbering/ask-server-first.ts'
import { learnNumbers } from '../../fiscal/numbering/learned-numbers.ts'
import { createLostRecords } from '../../fiscal/numbering/lost-records.ts'
import type { Issued } from '../../fiscal/numbering/lost-sales.ts'
import type { Predecessor } from '../../fiscal/ports/central-server.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import type { PremisesAuthority } from '../../fiscal/ports/gateways.ts'
import type { LiveSales } from '../../fiscal/sales/live-sales.ts'
import { DEFAULT_TENANT, type OpenStore } from '../../store/store.ts'
import { createPremisesAuthority } from '../../sync/gateway/claim.ts'
import { type Connection, type ConnectionDeps, createConnection } from '../../sync/gateway/connection.ts'
import { enrol } from '../../sync/gateway/enrol.ts'
import type { LearnNumbers } from '../../sync/gateway/handshake.ts'
import { askIdentity, keptPredecessor, skipAtServer } from '../../sync/gateway/identity.ts'
import { createThrottle } from '../../sync/gateway/throttle.ts'
import { createUplink, type Uplink } from '../../sync/gateway/uplink.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'
import { createEvent } from './event.ts'

/** What ties a gateway to its central server. */
export interface GatewaySync {
  useCases: SyncAdmin
  connection: Connection
  /** Who sells where. */
  premises: PremisesAuthority
  uplink: Pick<Uplink, 'start' | 'nudge' | 'greeted' | 'close'>
  backlog: CountBacklog
  /** What the server knew at the enrolment of the machine before; null when it said nothing. */
  predecessor: () => Promise<Predecessor | null>
  /** What the first numbers of this process wait for. */
  serverFirst: ServerFirst
  /** Remembers what is known before the first sale. */
  noteStart(): Promise<void>
  /** The server has heard this process. */
  onGreeted(listener: () => void): void
}

export interface GatewaySyncDeps {
  config: Pick<Config, 'syncUrl' | 'syncMaxKbps'>
  store: OpenStore
  vault: Vault
  clock: Clock
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  log: () => Pick<Logger, 'info' | 'warn' | 'error'>
  newUuid: () => string
  liveSales: LiveSales
  /** How a server is reached; over the network when left out. */
  transportTo?: ConnectionDeps['transportTo']
  issued: Issued
}

const LEAVE_MS = 10_000
const IDENTITY_MS = 50_000

export function composeGatewaySync(deps: GatewaySyncDeps): GatewaySync {
  const { config, store, vault, clock, elapsed, newUuid, liveSales, issued } = deps
  const { now } = clock
  const transport = deps.transportTo && { transportTo: deps.transportTo }
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
  const leaving = { method: 'POST', path: '/leave', body: { json: '{}' }, timeoutMs: LEAVE_MS } as const
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
      tellLeaving: () =>
        connection.tell(leaving).then(
          () => true,
          () => false,
        ),
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
    predecessor,
    serverFirst,
    noteStart: lostRecords.begin,
    onGreeted: greeted.on,
  }
}
