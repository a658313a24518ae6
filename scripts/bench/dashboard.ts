import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { createClient } from '../../src/cli/daemon/client.ts'
import { UserSchema } from '../../src/contract/admin/access.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { startDaemon } from '../../src/daemon/lifecycle/daemon.ts'
import { prepare } from '../../src/daemon/lifecycle/prepare.ts'
import { openStore } from '../../src/store/store.ts'
import { median, quantile, round } from './statistics.ts'
import { storeFleet, storeSales } from './stored-sales.ts'

/**
 * Whether the office need not wait, however much there is: the overview, counted anew each time, and the first page of
 * the invoices of a real daemon over TLS, and what a browser loads that has nothing of it yet.
 */
const INVOICES = Number(process.argv[2] ?? 1_000_000)
/** Of a fleet of some thousands of machines. */
const PER_DAY = 50_000
const ROUNDS = 30
/** Beyond what the overview remembers. */
const STEP_MS = 11_000
const MOST_MS = 50
const MOST_BYTES = 100_000
const DAY_MS = 86_400_000

interface Answer {
  status: number
  body: string
  bytes: number
  cookies: string[]
}

const now = Date.now()
const dir = await mkdtemp(join(tmpdir(), 'fiskd-bench-'))
try {
  const config = readConfig({
    FISKD_DATA_DIR: dir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_LOG_LEVEL: 'silent',
    RATE_LIMIT_ENABLED: 'false',
    // Nobody is there: the tax authority is not what is measured.
    FISKD_CIS_TEST_URL: 'https://127.0.0.1:9/',
    FISKD_CIS_LIVE_URL: 'https://127.0.0.1:9/',
  })
  await prepare(config, now)
  process.stderr.write(`storing ${INVOICES} invoices ...\n`)
  await fill(join(dir, 'fiskd.db'))
  let aheadMs = 0
  const daemon = await startDaemon(config, pino({ level: 'silent' }), {
    now: () => Date.now() + aheadMs,
    elapsed: () => performance.now() + aheadMs,
    synchronised: async () => true,
  })
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dir, 'tls', 'ca.pem')) })
  try {
    const get = await signIn(config.socketPath, daemon.urls[0] as string, agent)
    await measure(get, () => {
      aheadMs += STEP_MS
    })
  } finally {
    agent.destroy()
    await daemon.close()
  }
} finally {
  await rm(dir, { recursive: true })
}

async function measure(get: (path: string) => Promise<Answer>, later: () => void): Promise<void> {
  const pages = { overview: '/dashboard', invoices: '/dashboard/invoices' }
  const times: Record<keyof typeof pages, number[]> = { overview: [], invoices: [] }
  const busy: Record<keyof typeof pages, number[]> = { overview: [], invoices: [] }
  for (let turn = -3; turn < ROUNDS; turn++) {
    later()
    for (const [name, path] of Object.entries(pages) as [keyof typeof pages, string][]) {
      const [started, before] = [performance.now(), process.cpuUsage()]
      const { status } = await get(path)
      const { user, system } = process.cpuUsage(before)
      if (status !== 200) throw new Error(`${path} answers ${status}`)
      // The first ones are compiled.
      if (turn < 0) continue
      times[name].push(performance.now() - started)
      busy[name].push((user + system) / 1000)
    }
  }
  const results = []
  for (const [name, path] of Object.entries(pages) as [keyof typeof pages, string][]) {
    results.push({
      page: name,
      'median (ms)': round(median(times[name])),
      '95 % (ms)': round(quantile(times[name], 0.95)),
      // Of this whole process, the browser's part too: what is left when others use the machine as well.
      'CPU, median (ms)': round(median(busy[name])),
      'uncached (KB)': round((await weightOf(get, path)) / 1000),
    })
  }
  console.table(results)
  process.stdout.write(`${JSON.stringify({ invoices: INVOICES, perDay: PER_DAY, rounds: ROUNDS, results })}\n`)
  const isSlow = results.some((one) => one['median (ms)'] >= MOST_MS || one['uncached (KB)'] * 1000 >= MOST_BYTES)
  if (isSlow) process.exitCode = 1
}

/** The page and everything that it names to be loaded with it. */
async function weightOf(get: (path: string) => Promise<Answer>, path: string): Promise<number> {
  const page = await get(path)
  const named = [...page.body.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, asset]) =>
    String(asset),
  )
  let bytes = page.bytes
  for (const asset of new Set(named)) bytes += (await get(asset)).bytes
  return bytes
}

async function signIn(socketPath: string, base: string, agent: Agent): Promise<(path: string) => Promise<Answer>> {
  const [name, password] = ['bench@example.hr', 'a long bench password']
  await createClient(socketPath).post('/admin/users', UserSchema, { name, password, role: 'admin' })
  const form = new URLSearchParams({ name, password }).toString()
  const { cookies } = await ask(`${base}/dashboard/sign-in`, agent, { form })
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  return (path) => ask(base + path, agent, { cookie })
}

function ask(url: string, agent: Agent, { form, cookie }: { form?: string; cookie?: string }): Promise<Answer> {
  const headers = {
    'sec-fetch-site': 'same-origin',
    ...(cookie !== undefined && { cookie }),
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: form === undefined ? 'GET' : 'POST' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        const cookies = response.headers['set-cookie'] ?? []
        resolve({ status: response.statusCode ?? 0, body: body.toString('utf8'), bytes: body.length, cookies })
      })
    })
    sent.on('error', reject)
    sent.end(form)
  })
}

/**
 * As many sales on one day as on the other, the latest one a moment ago. An outage has left the last two thousand without
 * a JIR, and of all others a few; those of the last day have their messages.
 */
async function fill(path: string): Promise<void> {
  const store = await openStore(path, now)
  const fleet = await storeFleet(store, now)
  await storeSales(store, fleet, INVOICES, (n) => {
    const back = INVOICES - 1 - n
    const lacks = back < 2000 || back % 500 === 0
    return {
      occurredAt: Math.round(now - 1000 - (back * DAY_MS) / PER_DAY),
      status: lacks ? (back % 7 === 0 ? 'failed' : 'retrying') : 'confirmed',
      deadlineAt: now + 30 * DAY_MS,
      withMessage: back < PER_DAY,
    }
  })
  await store.close()
}
