import { type EpochMs, formatInstant, parseInstant } from '../../domain/instant.ts'
import type { ConnectionBreak } from '../../domain/sale/connection-break.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import type { Context } from '../context.ts'
import type { Blocker } from '../doctor/blockers/blocker.ts'
import type { GatewayStatus } from '../doctor/status.ts'
import type { Predecessor } from '../ports/central-server.ts'
import type { GatewayRecord, Heartbeat, PrinterSetup, ReportedProblem } from '../ports/gateways.ts'
import type { DevicePrinter } from '../ports/model.ts'
import { leftOut } from '../sales/disk-space.ts'
import type { CountBacklog } from './sync-status.ts'

export interface HeartbeatDeps extends Context {
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  version: string
  backlog: CountBacklog
  status: () => Promise<GatewayStatus>
  /** What the server knew at the enrolment of the machine before. */
  predecessor: () => Promise<Predecessor | null>
}

/** Tells the central server how this gateway is; it has been up since this call. */
export function createHeartbeat(deps: HeartbeatDeps): () => Promise<Heartbeat> {
  const { store, clock, elapsed, version, backlog } = deps
  const past = createPast(deps)
  const startedAt = elapsed()
  return async () => {
    const status = await deps.status()
    const enrolment = await store.enrolment.get()
    const uptimeMs = elapsed() - startedAt
    const now = clock.now()
    const outbox = await backlog(enrolment?.position ?? 0)
    const facts = { version, uptimeMs, now, outbox, printers: await store.printers.all() }
    const breaks = (await store.breaks.list()).slice(-MOST).map(toldBreak)
    return { ...heartbeatOf(status, facts), breaks, ...(await past()) }
  }
}

interface PastDeps extends Pick<HeartbeatDeps, 'predecessor'> {
  store: Pick<HeartbeatDeps['store'], 'audit' | 'devices'>
}

/** Tells what a machine that replaces this one needs to know: restores, and the machine that this one replaces. */
export function createPast(deps: PastDeps): () => Promise<Pick<Heartbeat, 'restored_at' | 'replaces'>> {
  const { store, predecessor } = deps
  /** Nothing is restored while a process runs. */
  let restoredAt: Promise<EpochMs | null> | undefined
  return async () => {
    restoredAt ??= store.audit.latest('database.restored')
    const restored = { restored_at: await restoredAt }
    const before = await predecessor()
    if (before === null || (await store.devices.list(EVERYTHING, { limit: 1 })).length > 0) return restored
    return { ...restored, replaces: { last_seen_at: before.lastSeenAt, restored_at: before.restoredAt } }
  }
}

/** What is told of the program itself, and of what waits for the server. */
interface HeartbeatFacts {
  version: string
  uptimeMs: number
  now: number
  outbox: Heartbeat['outbox']
  printers: readonly DevicePrinter[]
}

const EVERYTHING = { tenantId: null, mode: null, companyIds: null }

/** The server takes no more of them. */
const MOST = 100

function heartbeatOf(
  status: GatewayStatus,
  { version, uptimeMs, now, outbox, printers }: HeartbeatFacts,
): Omit<Heartbeat, 'restored_at'> {
  const { queue, clock, disk } = status
  const moment = (at: number | null) => (at === null ? null : formatInstant(at))
  return {
    version,
    uptime_s: Math.max(0, Math.floor(uptimeMs / 1000)),
    can_sell: status.canSell,
    problems: status.problems.slice(0, MOST).map(reportedOf),
    queue: {
      pending: queue.pending,
      retrying: queue.retrying,
      failed: queue.failed,
      expired: queue.expired,
      oldest_at: moment(status.oldestAt),
    },
    outbox,
    printers: status.printers.slice(0, MOST).map(({ device, condition }) => ({
      device_id: device.id,
      state: condition.state,
      paper: condition.paper,
      reason: condition.reason,
      ...setupOf(printers.find(({ deviceId }) => deviceId === device.id)),
    })),
    clock: {
      status: clock.status,
      trusted: clock.trusted,
      offset_ms: clock.offsetMs,
      now: formatInstant(now),
    },
    disk: { free_bytes: disk.freeBytes, left_out: leftOut(disk.room) },
    last_jir_at: moment(status.lastJirAt),
  }
}

export const toldBreak = ({ mode, from, until, extended }: ConnectionBreak) => ({
  mode,
  extended: extended.slice(-MOST),
  from: formatInstant(from),
  until: until === null ? null : formatInstant(until),
})

/** The breaks of its connection to the tax authority that a gateway has reported. */
export function reportedBreaks({ heartbeat }: Pick<GatewayRecord, 'heartbeat'>): ConnectionBreak[] {
  return (heartbeat?.breaks ?? []).flatMap(({ from: text, until, ...of }) => {
    const from = parseInstant(text)
    return from === undefined ? [] : [{ ...of, from, until: until === null ? null : (parseInstant(until) ?? from) }]
  })
}

function reportedOf({ cause, subject, count, mode, companyId, deviceId, premises }: Blocker): ReportedProblem {
  return {
    cause,
    subject: textOf(subject, 200),
    ...(count !== undefined && { count }),
    ...(mode !== undefined && { mode }),
    ...(companyId !== undefined && { company_id: companyId }),
    ...(deviceId !== undefined && { device_id: deviceId }),
    ...(premises && { premises }),
  }
}

/** So that the machine which replaces this one can be given the same printer. */
function setupOf(printer: DevicePrinter | undefined): { setup?: PrinterSetup } {
  if (!printer || printer.line.length > LONGEST_LINE) return {}
  const { line, profile, overrides, expireAfterS } = printer
  const settings = Object.fromEntries(Object.entries(overrides).map(([name, value]) => [snakeCase(name), value]))
  return { setup: { line, profile, settings, expire_after_s: expireAfterS } }
}

const LONGEST_LINE = 200

/** What every database can keep: no NUL, no half of a surrogate pair. */
const textOf = (text: string, most: number): string => text.slice(0, most).replace(/[\0\p{Surrogate}]/gu, '?')
