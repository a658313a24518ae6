import { randomUUID } from 'node:crypto'
import { formatInstant } from '../../domain/instant.ts'
import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import { type StatedNumber, statedSequence } from '../../fiscal/numbering/stated-number.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { SeenNumber } from '../../fiscal/ports/rows/numbering.ts'
import type { OpenStore } from '../../store/store.ts'
import { createConnection, createThrottle } from '../../sync/gateway/connection.ts'
import { SyncFailure } from '../../sync/gateway/failure.ts'
import { askNumbers, premisesAfter } from '../../sync/gateway/handshake.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'

const PATIENCE_MS = 30_000
/** A gateway that reported within this time, with no rows waiting, has sent all its sales to the server. */
const LATELY_MS = 5 * 60_000

export interface AskedServer {
  url: string
  numbers: SeenNumber[]
  /** When the gateway last reported, and how many rows it had not sent by then; null when it never reported. */
  reported: { at: number; ago_ms: number; waiting: number } | null
}

/**
 * A gateway also sells while it cannot reach the server, were it in the last minute.
 * @param open the numbers that only the server has stated
 * @param isWhole the last database here, or its record of issued sales, was read to its end
 * @throws Error when there may be sales that neither knows
 */
export function requireToldOfAll(
  { url, reported }: AskedServer,
  open: readonly StatedNumber[],
  isWhole: boolean,
): void {
  const isSure = reported !== null && reported.waiting === 0 && reported.ago_ms <= LATELY_MS
  if ((isSure && isWhole) || open.length === 0) return
  const seen = new Map<string, bigint>()
  for (const one of open) {
    const name = statedSequence(one)
    const before = seen.get(name) ?? 0n
    seen.set(name, one.highest > before ? one.highest : before)
  }
  throw new Error(
    [
      `${url} may not know of the last sales: ${lastWord(reported)}`,
      ...(isWhole
        ? []
        : ['It may have sold after that, and neither its last database nor issued.log is here to tell.']),
      'Leave a gap above what it has seen: --ask-server --gap 1000',
      'or say the highest numbers, from paper:',
      ...[...seen].map(([name, highest]) => `  --highest ${name}=NUMBER   (the server has seen ${highest})`),
    ].join('\n'),
  )
}

function lastWord(reported: AskedServer['reported']): string {
  if (reported === null) return 'this gateway never told it how much waits'
  const { at, ago_ms, waiting } = reported
  const rows = waiting === 1 ? '1 change' : `${waiting} changes`
  return `it last heard from this gateway at ${formatInstant(at)}, ${Math.round(ago_ms / 60_000)} minutes ago; ${rows} waited then`
}
const SILENT = { info() {}, warn() {}, error() {} }

/** @throws Error that says what to do instead */
export async function numbersOfServer(
  { syncUrl }: Pick<Config, 'syncUrl'>,
  store: OpenStore,
  vault: Vault | null,
): Promise<AskedServer> {
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
    const { answer, numbers, isBelieved } = await askNumbers(
      { store, connection, program: VERSION },
      enrolment,
      await premisesAfter([], store, enrolment.tenantId),
      signal,
    )
    if (!isBelieved) throw new Error(`what ${url} tells of numbers is not signed by it: ${otherwise}`)
    for (const number of numbers) {
      if (isWithinReach(number.highest, await store.numbering.highest(number))) continue
      const { premisesCode, year, highest } = number
      throw new Error(
        `${url} tells number ${highest} of premises ${premisesCode} in ${year}, far above the backup: ${otherwise}`,
      )
    }
    return { url, numbers, reported: answer.reported }
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error
    throw new Error(`the central server could not be asked: ${error.message}; try again, or ${otherwise}`, {
      cause: error,
    })
  } finally {
    await connection.close()
  }
}
