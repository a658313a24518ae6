import { randomUUID } from 'node:crypto'
import type { Vault } from '../fiscal/ports.ts'
import type { SeenNumber } from '../fiscal/sync-port.ts'
import type { OpenStore } from '../store/store.ts'
import { createConnection } from '../sync/gateway/connection.ts'
import { SyncFailure } from '../sync/gateway/failure.ts'
import { askNumbers } from '../sync/gateway/greet.ts'
import { createThrottle } from '../sync/gateway/throttle.ts'
import type { Config } from './config.ts'
import { VERSION } from './version.ts'

const PATIENCE_MS = 30_000
const SILENT = { info() {}, warn() {}, error() {} }

/**
 * Asks the central server that a backup is enrolled at for the highest numbers that it has seen.
 * @throws Error that says what to do instead
 */
export async function numbersOfServer(
  { syncUrl }: Pick<Config, 'syncUrl'>,
  store: OpenStore,
  vault: Vault | null,
): Promise<{ url: string; numbers: SeenNumber[] }> {
  const enrolment = await store.enrolment.get()
  const otherwise = 'say the numbers: --highest PREMISES@YEAR=NUMBER, or leave a gap: --gap 1000'
  if (!enrolment?.gatewayId) throw new Error(`this backup was enrolled at no central server: ${otherwise}`)
  if (!vault) {
    throw new Error(`the enrolment opens only with the vault key of the backup, which is not here: ${otherwise}`)
  }
  const url = syncUrl ?? enrolment.url
  const now = Date.now
  const throttle = createThrottle(null, performance.now)
  const connection = createConnection({ store, vault, session: randomUUID(), url: syncUrl, throttle, now, log: SILENT })
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const { numbers } = await askNumbers({ store, connection, program: VERSION }, enrolment, signal)
    return { url, numbers }
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error
    throw new Error(`the central server could not be asked: ${error.message}; try again, or ${otherwise}`, {
      cause: error,
    })
  } finally {
    await connection.close()
  }
}
