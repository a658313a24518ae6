import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { openStore } from '../../src/store/store.ts'
import { startAuthority } from '../chaos/authority.ts'
import { createChance } from '../chaos/chance.ts'
import { ask } from '../chaos/http.ts'
import { freePort } from '../chaos/ports.ts'
import { openScratch } from '../chaos/scratch.ts'
import { OIB, type Shop, setUpShop } from '../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../chaos-sync/machine.ts'
import { median, quantile, round } from './statistics.ts'
import { type Fleet, storeMachines, storeSales } from './stored-sales.ts'

/**
 * A gateway that has never told its central server of 100,000 invoices with their messages catches up, while somebody
 * buys something every 300 ms: what such a sale takes, against the same sale before and afterwards in the same run. Both
 * are real processes, and everything runs on this one machine.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } })
const INVOICES = Number(values.rows)
const USUAL_SALES = 200
const SALE_EVERY_MS = 300
const ANSWER_MS = 20
/** What may become of 95 % of the sales. */
const TARGET = 1.5

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
const chance = createChance(7)
const scratch = openScratch(false)
const authority = await startAuthority(
  { port: await freePort(chance), seed: 1, oib: OIB, answerMs: ANSWER_MS },
  scratch,
)
const order = async (name: string, role: string) =>
  createKillableProcess(
    { name, port: await freePort(chance), dist: DIST, authority, env: { FISKD_ROLE: role } },
    scratch,
  )
const server = await order('server', 'server')
const gateway = await order('gateway', 'gateway')
if (!(await server.rise()) || !(await gateway.rise())) throw new Error('they do not start: see the logs')
// Machines of its own for the live sales, at premises that the stored ones do not number.
const shop = await setUpShop({ ...gateway, devices: 1, authority: authority.facts, after: 40 })
await gateway.stop()
await fill()
await gateway.rise()

const before = await sell(shop, (times) => times.length < USUAL_SALES)
await loop(gateway)
const { token } = await server.admin('POST', '/admin/gateways', { name: 'kiosk' })
const startedAt = performance.now()
await gateway.admin('POST', '/admin/sync/enroll', { url: server.base, token })
const rows = (await waiting(gateway)) ?? 0
const during = await sell(shop, async () => ((await waiting(gateway)) ?? 1) > 100)
const seconds = (performance.now() - startedAt) / 1000
const lag = await loop(gateway)
const after = await sell(shop, (times) => times.length < USUAL_SALES)
while (((await waiting(gateway)) ?? 1) > 0) await setTimeout(100)

const usual = [...before, ...after]
const row = (times: number[]) => ({
  sales: times.length,
  'median (ms)': round(median(times)),
  '95 % (ms)': round(quantile(times, 0.95)),
  'worst (ms)': round(Math.max(...times)),
})
console.table({ 'before it': row(before), 'catching up': row(during), afterwards: row(after) })
const counts = { gateway: countOf(gateway, ''), server: countOf(server, undefined) }
console.table(counts)
const ratio = quantile(during, 0.95) / quantile(usual, 0.95)
const figures = {
  invoices: INVOICES,
  rows,
  seconds: round(seconds),
  rowsPerSecond: round(rows / seconds),
  invoicesPerSecond: round(INVOICES / seconds),
  eventLoopDelayP99Ms: lag.p99,
  eventLoopDelayWorstMs: lag.worst,
  p95Usual: round(quantile(usual, 0.95)),
  p95CatchingUp: round(quantile(during, 0.95)),
  ratio: round(ratio),
  target: TARGET,
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
const isWhole = JSON.stringify(counts.gateway) === JSON.stringify(counts.server)
if (!isWhole) process.stdout.write('the server does not have what the gateway has\n')
if (!isWhole || ratio > TARGET) process.exitCode = 1
await gateway.stop()
await server.stop()
scratch.close()

async function fill(): Promise<void> {
  const now = Date.now()
  const store = await openStore(join(gateway.dataDir, 'fiskd.db'), now)
  try {
    const [company] = await store.companies.all()
    const certificate = company && (await store.certificates.current(company.id))
    if (!company || !certificate) throw new Error('the shop has neither company nor certificate')
    const fleet: Fleet = {
      companyId: company.id,
      certificateId: certificate.id,
      deviceIds: await storeMachines(store, company.id, now),
    }
    await storeSales(store, fleet, INVOICES, (i) => ({
      occurredAt: now - 86_400_000 + i,
      status: 'confirmed',
      withMessage: true,
    }))
  } finally {
    await store.close()
  }
}

/** One customer after another at the same machine. @returns what each sale took, ms */
async function sell({ machines, key, target }: Shop, more: (times: number[]) => boolean | Promise<boolean>) {
  const times: number[] = []
  while (await more(times)) {
    const start = performance.now()
    const sale = { device_id: machines[0]?.id, total: '2.50', payment_method: 'G' }
    const answer = await ask(target, {
      method: 'POST',
      path: '/v1/invoices',
      body: JSON.stringify({ ...sale, occurred_at: new Date().toISOString() }),
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
    })
    times.push(performance.now() - start)
    if (answer?.status !== 200) throw new Error(`a sale was not taken: ${answer?.text ?? 'no answer'}`)
    await setTimeout(SALE_EVERY_MS - Math.min(SALE_EVERY_MS, performance.now() - start))
  }
  return times
}

async function waiting(of: KillableProcess): Promise<number | null> {
  const { sync } = (await of.admin('GET', '/admin/sync')) as { sync: { waiting: number } | null }
  return sync?.waiting ?? null
}

/** How late the event loop was since somebody asked last, milliseconds. */
async function loop({ dataDir }: KillableProcess) {
  const answer = await ask({ socketPath: join(dataDir, 'fiskd.sock') }, { path: '/metrics' })
  const ms = (name: string) => round(1000 * Number(new RegExp(`^${name} (.+)$`, 'm').exec(answer?.text ?? '')?.[1]))
  return { p99: ms('nodejs_eventloop_lag_p99_seconds'), worst: ms('nodejs_eventloop_lag_max_seconds') }
}

/** @param owner whose rows; all when left out */
function countOf({ dataDir }: KillableProcess, owner: string | undefined) {
  const db = new Database(join(dataDir, 'fiskd.db'), { readonly: true })
  try {
    const count = (query: string) => db.prepare<[], { count: number }>(query).get()?.count ?? 0
    const narrow = owner === undefined ? '' : ` WHERE gateway_id = '${owner}'`
    return {
      invoices: count(`SELECT count(*) AS count FROM invoices${narrow}`),
      messages: count('SELECT count(*) AS count FROM messages'),
      devices: count(`SELECT count(*) AS count FROM devices${narrow}`),
    }
  } finally {
    db.close()
  }
}
