import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { createClient } from '../../src/cli/daemon/client.ts'
import { UserSchema } from '../../src/contract/admin/access.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { startDaemon } from '../../src/daemon/lifecycle/daemon.ts'
import { prepare } from '../../src/daemon/lifecycle/prepare.ts'
import { HEARTBEAT } from '../../test/support/commands.ts'
import { openScratch } from '../chaos/scratch.ts'
import { fillWith, storeGateways } from './fill-fleet.ts'
import { type BenchGateway, exchange, fleetOf, machinesOf, type Sale, saleOf } from './fleet-rows.ts'
import { startPostgres } from './postgres-place.ts'
import { median, quantile, round } from './statistics.ts'

/**
 * Whether the office need not wait, however large its fleet: pages of a real central server over TLS, counted anew each
 * time, what a browser loads that has nothing of them yet, and the totals of a year as a file.
 */
const { values: options } = parseArgs({
  options: {
    invoices: { type: 'string', default: '1000000' },
    gateways: { type: 'string', default: '1000' },
    /** Of each gateway. */
    machines: { type: 'string', default: '5' },
    /** `postgres`: a private cluster, which needs Debian's package. */
    store: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '20' },
  },
})
const INVOICES = Number(options.invoices)
const ROUNDS = Number(options.rounds)
/** A tenth of all sales is of the last two days, the others are spread over a year. */
const RECENT_DAYS = 2
/** Beyond what the pages remember. */
const STEP_MS = 11_000
const MOST_MS = 80
const MOST_BYTES = 120_000
const MOST_MS_OF_TOTALS = 200
const DAY_MS = 86_400_000
const ASSETS = join(import.meta.dirname, '../../dist/dashboard/assets')
const PAGES = {
  overview: '/dashboard',
  machines: '/dashboard/devices',
  invoices: '/dashboard/invoices',
  'invoices by amount': '/dashboard/invoices?sort=amount',
  closings: '/dashboard/closings',
}

const TOTALS = 'totals of a year'

interface Answer {
  status: number
  body: string
  bytes: number
  cookies: string[]
}

const now = Date.now()
const scratch = openScratch(false)
const results: Awaited<ReturnType<typeof measureOn>> = []
for (const store of options.store.split(',')) results.push(...(await measureOn(store)))
console.table(results)
process.stdout.write(`${JSON.stringify({ ...options, results })}\n`)
const isOver = ({ page, ...one }: (typeof results)[number]) =>
  one['median (ms)'] >= (page === TOTALS ? MOST_MS_OF_TOTALS : MOST_MS) || one['uncached (KB)'] * 1000 >= MOST_BYTES
if (results.some(isOver)) process.exitCode = 1
scratch.close()

async function measureOn(store: string) {
  const dir = join(scratch.dir, store)
  mkdirSync(dir)
  const postgres = store === 'postgres' ? await startPostgres(scratch) : null
  const place = postgres === null ? join(dir, 'fiskd.db') : await postgres.create('dashboard')
  const config = readConfig({
    FISKD_ROLE: 'server',
    FISKD_DATA_DIR: dir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_LOG_LEVEL: 'silent',
    RATE_LIMIT_ENABLED: 'false',
    ...(postgres && { FISKD_DATABASE_URL: place }),
    // Nobody is there: the tax authority is not what is measured.
    FISKD_CIS_TEST_URL: 'https://127.0.0.1:9/',
    FISKD_CIS_LIVE_URL: 'https://127.0.0.1:9/',
  })
  await prepare(config, now)
  process.stderr.write(`${store}: storing ${INVOICES} invoices ...\n`)
  await fill(place)
  let aheadMs = 0
  const daemon = await startDaemon(config, pino({ level: 'silent' }), {
    now: () => Date.now() + aheadMs,
    elapsed: () => performance.now() + aheadMs,
    synchronised: async () => true,
  })
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dir, 'tls', 'ca.pem')) })
  try {
    const get = await signIn(config.socketPath, daemon.urls[0] as string, agent)
    const rows = await measure(get, () => {
      aheadMs += STEP_MS
    })
    return rows.map((row) => ({ store, ...row }))
  } finally {
    agent.destroy()
    await daemon.close()
  }
}

async function measure(get: (path: string) => Promise<Answer>, later: () => void) {
  const [from, to] = [new Date(now - 365 * DAY_MS), new Date(now)].map((at) => at.toISOString().slice(0, 10))
  const paths: Record<string, string> = {
    ...PAGES,
    [TOTALS]: `/dashboard/export/files/turnover.csv?mode=live&by=month&per=company&from=${from}&to=${to}`,
  }
  const taken = new Map(Object.keys(paths).map((page) => [page, { ms: [] as number[], cpuMs: [] as number[] }]))
  for (let turn = -3; turn < ROUNDS; turn++) {
    later()
    for (const [page, { ms, cpuMs }] of taken) {
      const [started, before] = [performance.now(), process.cpuUsage()]
      const { status } = await get(paths[page] as string)
      const { user, system } = process.cpuUsage(before)
      if (status !== 200) throw new Error(`${page} answers ${status}`)
      // The first ones are compiled.
      if (turn < 0) continue
      ms.push(performance.now() - started)
      cpuMs.push((user + system) / 1000)
    }
  }
  const rows = []
  for (const [page, { ms, cpuMs }] of taken) {
    rows.push({
      page,
      'median (ms)': round(median(ms)),
      '95 % (ms)': round(quantile(ms, 0.95)),
      // Of this whole process, the browser's part too: what is left when others use the machine as well.
      'CPU, median (ms)': round(median(cpuMs)),
      'uncached (KB)': page === TOTALS ? 0 : round((await weightOf(get, paths[page] as string)) / 1000),
    })
  }
  return rows
}

/** The page and everything that it names to be loaded with it, compressed as the bundle has it. */
async function weightOf(get: (path: string) => Promise<Answer>, path: string): Promise<number> {
  const page = await get(path)
  const named = [...page.body.matchAll(/(?:src|href)="\/dashboard\/assets\/([^"?]+)/g)].map(([, file]) => String(file))
  return [...new Set(named)].reduce((bytes, file) => bytes + statSync(join(ASSETS, `${file}.gz`)).size, page.bytes)
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

/** An outage has left the last two thousand without a JIR, and of all others a few; those of the last day have messages. */
async function fill(place: string): Promise<void> {
  const gateways = fleetOf(Number(options.gateways))
  for (const { record } of gateways) {
    // The clock runs ahead here, and all gateways stay connected.
    Object.assign(record, { lastSeenAt: now + DAY_MS, reportedAt: now + DAY_MS, heartbeat: HEARTBEAT })
  }
  const machines = machinesOf(gateways, Number(options.machines))
  await storeGateways(place, machines)
  await fillWith(place, machines, sales(machines))
}

function* sales(machines: readonly BenchGateway[]): Generator<Sale> {
  const recent = INVOICES / 10
  const said = Array.from({ length: 200 }, exchange)
  for (let back = INVOICES - 1; back >= 0; back--) {
    const ago =
      back < recent ? (back * RECENT_DAYS) / recent : RECENT_DAYS + ((back - recent) * 363) / (INVOICES - recent)
    const at = Math.round(now - 1000 - ago * DAY_MS)
    const gateway = machines[back % machines.length] as BenchGateway
    const [invoice, message] = saleOf(gateway, said[back % said.length], at)
    if (back < 2000 || back % 500 === 0) {
      const status = back % 7 === 0 ? ('failed' as const) : ('retrying' as const)
      Object.assign(invoice.row, { status, jir: null, confirmedAt: null, deadlineAt: now + 30 * DAY_MS })
    }
    yield { gateway, invoice, message: ago < 1 ? message : null }
  }
}
