/** Whether this service can do its work; nothing about the tax authority (interface.md, GET /v1/health). */
export interface ServiceHealth {
  /** `down` when sales cannot be stored, `degraded` when they soon may not. */
  status: 'ok' | 'degraded' | 'down'
  database: { status: 'ok' | 'degraded' | 'down'; latencyMs: number | null }
  disk: { status: 'ok' | 'degraded'; freeBytes: number | null }
}

export interface HealthDeps {
  /** Milliseconds the database takes to answer. @throws when it does not answer or takes no writes */
  ping: () => Promise<number>
  /** Bytes left where the database lives. @throws when nobody can tell */
  freeBytes: () => Promise<number>
  report: (problem: string, error: unknown) => void
}

/** A sale waits for the database several times: beyond this, customers notice. */
const SLOW_MS = 500

/** Room for weeks of sales, and for the work of the database itself. */
const LOW_DISK_BYTES = 100 * 1024 * 1024

export async function serviceHealth({ ping, freeBytes, report }: HealthDeps): Promise<ServiceHealth> {
  const latencyMs = await ping().catch((error: unknown) => {
    report('the database does not answer or takes no writes', error)
    return null
  })
  const free = await freeBytes().catch((error: unknown) => {
    report('the free disk space is not known', error)
    return null
  })
  const database = { status: latencyMs === null ? 'down' : latencyMs > SLOW_MS ? 'degraded' : 'ok', latencyMs } as const
  const disk = { status: free === null || free < LOW_DISK_BYTES ? 'degraded' : 'ok', freeBytes: free } as const
  return { status: database.status === 'ok' ? disk.status : database.status, database, disk }
}
