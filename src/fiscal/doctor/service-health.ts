import type { ClockState } from '../clock/clock-state.ts'
import type { PrintersHealth } from '../printing/printers.ts'
import type { LookAtDisk } from '../sales/disk-space.ts'

/** The health of this service, without the tax authority (interface.md, GET /v1/health). */
export interface ServiceHealth {
  /** `down` when sales cannot be stored, `degraded` when that may happen soon. */
  status: 'ok' | 'degraded' | 'down'
  database: { status: 'ok' | 'degraded' | 'down'; latencyMs: number | null; detail: string | null }
  disk: { status: 'ok' | 'degraded' | 'down'; freeBytes: number | null }
  clock: ClockState
  printers: PrintersHealth
  /** How many sequences of receipt numbers are close to their end. */
  numbers: { status: 'ok' | 'degraded'; ending: number }
}

export interface HealthDeps {
  /** The response time of the database in milliseconds. @throws when it does not answer or accepts no writes */
  ping: () => Promise<number>
  lookAtDisk: LookAtDisk
  lookAtClock: () => ClockState
  lookAtPrinters: () => PrintersHealth
  countEnding: () => Promise<number>
  report: (problem: string, error: unknown) => void
}

/** A sale waits for the database several times; slower than this, customers notice. */
const SLOW_MS = 500

export async function serviceHealth({
  ping,
  lookAtDisk,
  lookAtClock,
  lookAtPrinters,
  countEnding,
  report,
}: HealthDeps): Promise<ServiceHealth> {
  const latencyMs = await ping().catch((error: unknown) => {
    report('the database does not answer or takes no writes', error)
    return null
  })
  const database = databaseHealth(latencyMs)
  const { freeBytes, room } = await lookAtDisk()
  const short = freeBytes === null || room !== 'everything'
  const disk = { status: room === 'no_sales' ? 'down' : short ? 'degraded' : 'ok', freeBytes } as const
  const clock = lookAtClock()
  const printers = lookAtPrinters()
  // The status above already covers a database that does not answer.
  const ending = await countEnding().catch(() => 0)
  const numbers = { status: ending > 0 ? 'degraded' : 'ok', ending } as const
  const others = [clock.trusted ? 'ok' : 'degraded', printers.status, numbers.status] as const
  return { status: worst(database.status, disk.status, ...others), database, disk, clock, printers, numbers }
}

function databaseHealth(latencyMs: number | null): ServiceHealth['database'] {
  if (latencyMs === null) return { status: 'down', latencyMs, detail: 'it does not answer or takes no writes' }
  return { status: latencyMs > SLOW_MS ? 'degraded' : 'ok', latencyMs, detail: null }
}

function worst(...statuses: ServiceHealth['status'][]): ServiceHealth['status'] {
  return statuses.find((status) => status === 'down') ?? statuses.find((status) => status === 'degraded') ?? 'ok'
}
