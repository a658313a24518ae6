import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/daemon/config.ts'
import { prepare } from '../../src/daemon/lifecycle/prepare.ts'
import type { InvoiceStatus } from '../../src/domain/sale/invoice.ts'
import { openStore } from '../../src/store/store.ts'
import { startDaemon } from '../chaos/daemon.ts'
import { openScratch } from '../chaos/scratch.ts'
import { median, round } from './statistics.ts'
import { storeFleet, storeSales } from './stored-sales.ts'

/**
 * How long a daemon takes from its start until it takes sales, after it was killed: with an empty database and with
 * 500,000 invoices, of which some were being sent, some wait and some have run out of time. Both in turn, so that a noisy
 * machine is noisy to both.
 */
const INVOICES = Number(process.argv[2] ?? 500_000)
const BEING_SENT = 100
const WAITING = 5000
const OVERDUE = 1000
const ROUNDS = Number(process.argv[3] ?? 9)
/** Where the databases are kept for another run, and taken from if they are there. */
const KEPT = process.argv[4]
const LIMIT_MS = 2000

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const scratch = openScratch(false)
const now = Date.now()

const empty = await dataDir('empty')
const full = await dataDir('full')
const store = await openStore(join(full, 'fiskd.db'), now)
if ((await store.companies.all()).length === 0) {
  process.stderr.write(`storing ${INVOICES} invoices, each with its message ...\n`)
  await storeSales(store, await storeFleet(store, now), INVOICES, (i) => ({
    occurredAt: i < OVERDUE ? now - 31 * DAY_MS - i : now - Math.floor(i / 20) * MINUTE_MS,
    status: statusOf(i),
    withMessage: true,
  }))
}
await store.close()

const times = { empty: [] as number[], full: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  times.empty.push(await start(empty))
  times.full.push(await start(full))
}
const [emptyMs, fullMs] = [median(times.empty), median(times.full)]
const database = statSync(join(full, 'fiskd.db')).size
console.table([
  { database: 'empty', 'start to ready (ms)': round(emptyMs), worst: Math.max(...times.empty), ratio: 1 },
  {
    database: `${INVOICES} invoices, ${round(database / 1e6)} MB`,
    'start to ready (ms)': round(fullMs),
    worst: Math.max(...times.full),
    ratio: round(fullMs / emptyMs),
  },
])
process.stdout.write(`${JSON.stringify({ invoices: INVOICES, rounds: ROUNDS, databaseBytes: database, times })}\n`)
if (fullMs > LIMIT_MS) process.exitCode = 1
scratch.close()

function statusOf(i: number): InvoiceStatus {
  if (i < OVERDUE + WAITING) return i % 2 === 0 ? 'retrying' : 'failed'
  return i < OVERDUE + WAITING + BEING_SENT ? 'pending' : 'confirmed'
}

async function dataDir(name: string): Promise<string> {
  const path = join(KEPT ?? scratch.dir, name)
  mkdirSync(path, { recursive: true })
  await prepare(readConfig({ FISKD_DATA_DIR: path, FISKD_LISTEN: '127.0.0.1:0' }), now)
  return path
}

/** Starts it, and kills it as soon as it is ready. @returns milliseconds until then */
async function start(path: string): Promise<number> {
  const env = { FISKD_DATA_DIR: path, FISKD_LISTEN: '127.0.0.1:0', FISKD_CIS_TEST_URL: 'https://127.0.0.1:9/nobody' }
  const life = startDaemon(DIST, env, scratch)
  const readyMs = await life.ready
  const { lastWords } = await life.kill()
  if (readyMs === null) throw new Error(`the daemon did not start:\n${lastWords}`)
  return readyMs
}
