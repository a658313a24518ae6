import type { Mode } from '../../domain/sale/sale.ts'
import type { ClockState } from '../clock/describe-clock.ts'
import type { Issued } from '../numbering/lost-sales.ts'
import { journalKey } from '../ports/model.ts'
import { DatabaseAway, type Store } from '../ports/store.ts'
import type { TrustBundles } from '../ports/trust.ts'
import type { PrintersHealth } from '../printing/printers.ts'
import type { LookAtDisk } from '../sales/disk-space.ts'

/** The health of this service, without the tax authority (docs/spec/interface.md, GET /v1/health). */
export interface ServiceHealth {
  /** `down` when sales cannot be stored, `degraded` when that may happen soon. */
  status: 'ok' | 'degraded' | 'down'
  database: { status: 'ok' | 'degraded' | 'down'; latencyMs: number | null; detail: string | null }
  disk: { status: 'ok' | 'degraded' | 'down'; freeBytes: number | null }
  clock: ClockState
  printers: PrintersHealth
  /** How many sequences of receipt numbers are close to their end. */
  numbers: { status: 'ok' | 'degraded'; ending: number }
  /** What else keeps this process from selling, in sentences for people. */
  sales: { status: 'ok' | 'degraded' | 'down'; reasons: string[] }
}

export interface HealthDeps {
  /** The response time of the database in milliseconds. @throws when it does not answer or accepts no writes */
  ping: () => Promise<number>
  lookAtDisk: LookAtDisk
  lookAtClock: () => ClockState
  lookAtPrinters: () => PrintersHealth
  countEnding: () => Promise<number>
  findObstacles: () => Promise<Obstacle[]>
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
  findObstacles,
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
  const numbers = { status: ending > 0 ? 'degraded' : 'ok', ending } as const
  const obstacles = await findObstacles().catch((): Obstacle[] => [])
  const sales = {
    status: worst(...obstacles.map(({ status }) => status)),
    reasons: obstacles.map(({ reason }) => reason),
  }
  const others = [clock.trusted ? 'ok' : 'degraded', printers.status, numbers.status, sales.status] as const
  return { status: worst(database.status, disk.status, ...others), database, disk, clock, printers, numbers, sales }
}

async function databaseHealth(
  ping: HealthDeps['ping'],
  report: HealthDeps['report'],
): Promise<ServiceHealth['database']> {
  try {
    const latencyMs = await ping()
    return { status: latencyMs > SLOW_MS ? 'degraded' : 'ok', latencyMs, detail: null }
  } catch (error) {
    // The log says once that it is away, and not at each request.
    if (error instanceof DatabaseAway) return { status: 'down', latencyMs: null, detail: `it ${error.problem}` }
    report('the database does not answer or takes no writes', error)
    return { status: 'down', latencyMs: null, detail: 'it does not answer or takes no writes' }
  }
}

function worst(...statuses: ServiceHealth['status'][]): ServiceHealth['status'] {
  return statuses.find((status) => status === 'down') ?? statuses.find((status) => status === 'degraded') ?? 'ok'
}

/** Why a process cannot sell what it should. */
export interface Obstacle {
  /** `down` when others should be asked instead of this process. */
  status: 'degraded' | 'down'
  reason: string
}

export interface ObstacleDeps {
  store: Store
  trust: TrustBundles
  /** For how long nobody has told this process the time; zero when it is known. */
  clock: { unknownForMs(): number }
  issued: Pick<Issued, 'lost'>
  deploymentMode: Mode
}

/** Longer than what another process has proven counts: then it was not this one, before it was started again. */
const UNKNOWN_FOR_MS = 10 * 60_000

/** Premises whose issued sales the database lacks, and what others that share the database may have and this process lacks. */
export async function processObstacles(deps: ObstacleDeps): Promise<Obstacle[]> {
  const { store, trust, clock, deploymentMode } = deps
  const stopped = await stoppedPremises(deps)
  if (!store.isShared) return stopped
  const modes = await store.companies.activeModes()
  const lacking = modes.filter((mode) => trust.certificates(mode, 'service').length === 0)
  const isUseless = lacking.includes(deploymentMode) || lacking.length === modes.length
  const untrusting = lacking.map<Obstacle>((mode) => ({
    status: isUseless ? 'down' : 'degraded',
    reason: `the CA certificates of the ${mode} service are not installed`,
  }))
  const isBehind = clock.unknownForMs() > UNKNOWN_FOR_MS && (await store.idempotency.isProven())
  const unknowing: Obstacle = { status: 'down', reason: 'it does not know the time, and other processes do' }
  return [...stopped, ...untrusting, ...(isBehind ? [unknowing] : [])]
}

async function stoppedPremises({ store, issued }: ObstacleDeps): Promise<Obstacle[]> {
  const lost = issued.lost().map(journalKey)
  if (lost.length === 0) return []
  const sellsElsewhere = (await store.invoices.journals()).some((journal) => !lost.includes(journalKey(journal)))
  const reason = `the database lacks sales that were issued, so nothing is sold at their premises: ${lost.length}`
  return [{ status: sellsElsewhere ? 'degraded' : 'down', reason }]
}
