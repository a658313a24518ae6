import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import pino from 'pino'
import { type Client, createClient } from '../../../src/cli/daemon/client.ts'
import { UserSchema } from '../../../src/contract/admin/access.ts'
import { InvoiceList } from '../../../src/contract/v1/invoice.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { prepare } from '../../../src/daemon/lifecycle/prepare.ts'
import { HEARTBEAT } from '../../../test/support/commands.ts'
import { postgresPrograms } from '../../../test/support/postgres-cluster.ts'
import { type Answer, ask } from '../../chaos/http.ts'
import { openCluster } from '../../chaos-sync/cluster.ts'
import type { Bench } from '../bench.ts'
import { fillWith, storeGateways } from '../fill-fleet.ts'
import { type BenchGateway, exchange, fleetOf, machinesOf, type Sale, saleOf } from '../fleet-rows.ts'
import { median } from '../statistics.ts'
import { unitMs } from '../unit.ts'

/** Machines of each gateway. */
const MACHINES = 5
/** A tenth of all sales is of the last two days, the others are spread over a year. */
const RECENT_DAYS = 2
const DAY_MS = 86_400_000
/** Beyond what the pages remember: they are counted anew each time. */
const STEP_MS = 11_000

/** KB of a page and all that a browser loads with it that has nothing of it yet. */
const MOST_KB = 120
/** How often as much as the first page of a list the hundredth one may take, or one on which nothing is found. */
const MOST_TIMES = 2
const [LIMIT, LATE_PAGE] = [50, 100]

const PAGES = {
  overview: '/dashboard',
  machines: '/dashboard/devices',
  invoices: '/dashboard/invoices',
  'invoices by amount': '/dashboard/invoices?sort=amount',
  closings: '/dashboard/closings',
}

export type Get = (path: string) => Promise<Answer>

/**
 * Whether the office need not wait, however large its fleet: pages of a real central server over TLS, the totals of a year
 * as a file, and late and empty pages of its lists. A million invoices of a thousand gateways, on both databases.
 */
export async function pages(bench: Bench): Promise<void> {
  for (const store of ['sqlite', ...(postgresPrograms() === undefined ? [] : ['postgres'])])
    await measureOn(store, bench)
}

async function measureOn(store: string, bench: Bench): Promise<void> {
  const { scratch, dist, invoices, much } = bench
  const now = Date.now()
  const dir = join(scratch.dir, store)
  mkdirSync(dir)
  const location = store === 'postgres' ? await (await openCluster({}, scratch)).create('pages') : join(dir, 'fiskd.db')
  const config = readConfig({
    FISKD_ROLE: 'server',
    FISKD_DATA_DIR: dir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_LOG_LEVEL: 'silent',
    RATE_LIMIT_ENABLED: 'false',
    ...(store === 'postgres' && { FISKD_DATABASE_URL: location }),
    // Nobody is there: the tax authority is not what is measured.
    FISKD_CIS_TEST_URL: 'https://127.0.0.1:9/',
    FISKD_CIS_LIVE_URL: 'https://127.0.0.1:9/',
  })
  await prepare(config, now)
  process.stderr.write(`${store}: storing ${invoices} invoices ...\n`)
  const machines = machinesOf(gatewaysAt(now, much(1000, 20)), MACHINES)
  await storeGateways(location, machines)
  await fillWith(location, machines, sales(machines, invoices, now))
  let aheadMs = 0
  const daemon = await startDaemon(config, pino({ level: 'silent' }), {
    now: () => Date.now() + aheadMs,
    elapsed: () => performance.now() + aheadMs,
    synchronised: async () => true,
  })
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dir, 'tls', 'ca.pem')) })
  try {
    const client = createClient(config.socketPath)
    const get = await signIn(client, daemon.urls[0] as string, agent)
    const totals = `/dashboard/export/file?what=turnover&format=csv&mode=live&by=company_month&from=${dayOf(now - 365 * DAY_MS)}&to=${dayOf(now)}`
    const assets = join(dist, 'dashboard/assets')
    for (const [page, path] of Object.entries({ ...PAGES, 'totals of a year': totals })) {
      await measurePage(`${store}, ${page}`, path, get, bench, () => {
        aheadMs += STEP_MS
      })
      if (path !== totals) {
        bench.figures.add(`${store}, ${page}: uncached`, 'KB', (await weightOf(get, path, assets)) / 1000, {
          most: MOST_KB,
        })
      }
    }
    await measureLists(store, client, machines, bench)
  } finally {
    agent.destroy()
    await daemon.close()
  }
}

async function measurePage(name: string, path: string, get: Get, bench: Bench, later: () => void): Promise<void> {
  const { figures, much } = bench
  const unit = unitMs()
  // The first ones are compiled.
  for (let turn = -3; turn < much(20, 3); turn++) {
    later()
    const [started, before] = [performance.now(), process.cpuUsage()]
    const { status } = await get(path)
    const { user, system } = process.cpuUsage(before)
    if (status !== 200) throw new Error(`${name} answers ${status}`)
    if (turn < 0) continue
    figures.add(name, 'ms', performance.now() - started)
    // Of this whole process, the browser's part too.
    figures.add(`${name}: CPU / 2 signatures and 1 check`, '×', (user + system) / 1000 / unit)
  }
}

/** Pages of `/v1/invoices` in turn, so that a noisy machine is noisy to all of them. */
async function measureLists(
  store: string,
  client: Client,
  [machine]: readonly BenchGateway[],
  { figures, short, much, invoices }: Bench,
): Promise<void> {
  const first = `/v1/invoices?limit=${LIMIT}`
  const late = await latePage(client, first, Math.min(LATE_PAGE, Math.floor(invoices / LIMIT) - 1))
  const empty = {
    'a company nobody has': `&company_id=${randomUUID()}`,
    'a premises nobody has': '&premises_code=NOWHERE',
    'a device at another premises': `&device_id=${machine?.device.id}&premises_code=NOWHERE`,
    'before the first sale': `&to=${new Date(Date.now() - 800 * DAY_MS).toISOString()}`,
  }
  const paths = { late, ...Object.fromEntries(Object.entries(empty).map(([name, filter]) => [name, first + filter])) }
  const took = async (path: string): Promise<{ ms: number; rows: number }> => {
    const started = performance.now()
    const { data } = await client.get(path, InvoiceList)
    return { ms: performance.now() - started, rows: data.length }
  }
  const firstTimes: number[] = []
  const times = new Map(Object.keys(paths).map((name) => [name, [] as number[]]))
  for (let round = 0; round < much(40, 10); round++) {
    firstTimes.push((await took(first)).ms)
    for (const [name, path] of Object.entries(paths)) {
      const { ms, rows } = await took(path)
      if (rows !== (name === 'late' ? LIMIT : 0)) throw new Error(`${path} has ${rows} rows`)
      times.get(name)?.push(ms)
    }
  }
  for (const [name, taken] of times) {
    const wanted = short ? undefined : { most: MOST_TIMES }
    figures.add(`${store}, list: page of ${name} / first page`, '×', median(taken) / median(firstTimes), wanted)
  }
}

async function latePage(client: Client, first: string, number: number): Promise<string> {
  let path = first
  for (let page = 1; page < number; page++) {
    const { next_cursor } = await client.get(path, InvoiceList)
    if (next_cursor === null) throw new Error(`the list has only ${page} pages`)
    path = `${first}&cursor=${encodeURIComponent(next_cursor)}`
  }
  return path
}

/** The page and everything that it names to be loaded with it, compressed as the bundle has it. */
async function weightOf(get: Get, path: string, assets: string): Promise<number> {
  const { text } = await get(path)
  const named = [...text.matchAll(/(?:src|href)="\/dashboard\/assets\/([^"?]+)/g)].map(([, file]) => String(file))
  return [...new Set(named)].reduce(
    (bytes, file) => bytes + statSync(join(assets, `${file}.gz`)).size,
    Buffer.byteLength(text),
  )
}

export async function signIn(client: Client, base: string, agent: Agent): Promise<Get> {
  const [name, password] = ['bench@example.hr', 'a long bench password']
  await client.post('/admin/users', UserSchema, { name, password, role: 'admin' })
  const target = { base, agent }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await ask(target, {
    method: 'POST',
    path: '/dashboard/sign-in',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name, password }).toString(),
  })
  const cookie = (signedIn?.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
  return async (path) => {
    const answer = await ask(target, { path, headers: { ...headers, cookie } })
    if (answer === null) throw new Error(`${path} is not answered`)
    return answer
  }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The clock runs ahead here, and all gateways stay connected. */
function gatewaysAt(now: number, count: number): BenchGateway[] {
  const gateways = fleetOf(count)
  for (const { record } of gateways) {
    Object.assign(record, { lastSeenAt: now + DAY_MS, reportedAt: now + DAY_MS, heartbeat: HEARTBEAT })
  }
  return gateways
}

/** An outage has left the last two thousand without a JIR, and of all others a few; those of the last day have messages. */
function* sales(machines: readonly BenchGateway[], count: number, now: number): Generator<Sale> {
  const recent = count / 10
  const said = Array.from({ length: 200 }, exchange)
  for (let back = count - 1; back >= 0; back--) {
    const ago = back < recent ? (back * RECENT_DAYS) / recent : RECENT_DAYS + ((back - recent) * 363) / (count - recent)
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
