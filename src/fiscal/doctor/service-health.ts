import type { ClockState } from '../clock/clock-state.ts'
import { DatabaseAway } from '../ports/database-reach.ts'
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
  /** How many sequences of receipt numbers are close to their end, and how many premises sell nothing because of lost sales. */
  numbers: { status: 'ok' | 'degraded' | 'down'; ending: number; stopped: number }
}

export interface HealthDeps {
  /** The response time of the database in milliseconds. @throws when it does not answer or accepts no writes */
  ping: () => Promise<number>
  lookAtDisk: LookAtDisk
  lookAtClock: () => ClockState
  lookAtPrinters: () => PrintersHealth
  countEnding: () => Promise<number>
  /** The premises that sell nothing because the database lacks issued sales, and all that have sold. */
  countStopped: () => Promise<{ stopped: number; all: number }>
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
  countStopped,
  report,
}: HealthDeps): Promise<ServiceHealth> {
  const database = await databaseHealth(ping, report)
  const { freeBytes, room } = await lookAtDisk()
  const short = freeBytes === null || room !== 'everything'
  const disk = { status: room === 'no_sales' ? 'down' : short ? 'degraded' : 'ok', freeBytes } as const
  const clock = lookAtClock()
  const printers = lookAtPrinters()
  // The status above already covers a database that does not answer.
  const ending = await countEnding().catch(() => 0)
  const { stopped, all } = await countStopped().catch(() => ({ stopped: 0, all: 0 }))
  const isDown = stopped > 0 && stopped >= all
  const numbers = { status: isDown ? 'down' : ending + stopped > 0 ? 'degraded' : 'ok', ending, stopped } as const
  const others = [clock.trusted ? 'ok' : 'degraded', printers.status, numbers.status] as const
  return { status: worst(database.status, disk.status, ...others), database, disk, clock, printers, numbers }
}

async function databaseHealth(
  ping: HealthDeps['ping'],
  report: HealthDeps['report'],
): Promise<ServiceHealth['database']> {
  try {
    const latencyMs = await ping()
    return { status: latencyMs > SLOW_MS ? 'degraded' : 'ok', latencyMs, detail: null }
  } catch (error) {
    // The log says once that it is away, and not each time that somebody asks.
    if (error instanceof DatabaseAway) return { status: 'down', latencyMs: null, detail: 'it cannot be reached' }
    report('the database does not answer or takes no writes', error)
    return { status: 'down', latencyMs: null, detail: 'it does not answer or takes no writes' }
  }
}

function worst(...statuses: ServiceHealth['status'][]): ServiceHealth['status'] {
  return statuses.find((status) => status === 'down') ?? statuses.find((status) => status === 'degraded') ?? 'ok'
}
