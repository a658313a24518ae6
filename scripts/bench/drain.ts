import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startAuthority, trustAuthority } from '../chaos/authority.ts'
import { createChance } from '../chaos/chance.ts'
import { startDaemon } from '../chaos/daemon.ts'
import { ask, type Question } from '../chaos/http.ts'
import { freePort } from '../chaos/ports.ts'
import { openScratch } from '../chaos/scratch.ts'
import { OIB, type Shop, setUpShop } from '../chaos/shop.ts'
import { median, quantile, round } from './statistics.ts'

/**
 * What becomes of a queue of 20,000 sales, made over 30 days in which the tax authority could not be reached, when it can
 * be reached again: whether they go out in the order of their deadlines, and what a sale that is made meanwhile takes,
 * against the same sale before the outage and after the queue is gone, in the same run. Then the same of 1,000 sales
 * whose JIR could not be believed: how soon it is announced that the service is believed again, and what one action takes.
 */
const QUEUE = Number(process.argv[2] ?? 20_000)
const PARKED = 1_000
/** Nobody buys meanwhile: only the daemon's own question can tell. */
const ANNOUNCED_WITHIN_MS = 90_000
const USUAL_SALES = 150
const SALE_EVERY_MS = 400
const CLERKS = 8
const DAY_MS = 86_400_000
/** What the tax authority takes for an answer, beside its own work. */
const ANSWER_MS = 20

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
const chance = createChance(20)
const scratch = openScratch(false)
const dataDir = join(scratch.dir, 'data')
const authority = await startAuthority(
  { port: await freePort(chance), seed: 1, oib: OIB, answerMs: ANSWER_MS },
  scratch,
)
trustAuthority(dataDir, authority.facts)
const port = await freePort(chance)
const env = {
  FISKD_DATA_DIR: dataDir,
  FISKD_LISTEN: `127.0.0.1:${port}`,
  FISKD_CIS_TEST_URL: authority.facts.url,
  FISKD_CIS_LIVE_URL: authority.facts.url,
}
const life = startDaemon(DIST, env, scratch)
if ((await life.ready) === null) throw new Error((await life.ended).lastWords)
const shop = await setUpShop({ dataDir, base: `https://127.0.0.1:${port}`, devices: 8, authority: authority.facts })

const before = await sellNowAndThen(shop, (times) => times.length < USUAL_SALES)
await authority.goDown()
const { deadlines, seconds: outageSeconds } = await sellPast(shop, QUEUE)
await expectQueue({ waiting: QUEUE, failed: 0 })

await authority.comeBack()
const already = (await authority.received()).length
const startedAt = performance.now()
const during = await sellNowAndThen(shop, async () => (await queue()).waiting > 0)
const drainSeconds = (performance.now() - startedAt) / 1000
await expectQueue({ waiting: 0, failed: 0 })
const after = await sellNowAndThen(shop, (times) => times.length < USUAL_SALES)

const received = (await authority.received()).slice(already)

await authority.forge()
await sellPast(shop, PARKED)
await expectQueue({ waiting: 0, failed: PARKED })
const healedAt = performance.now()
await authority.calm()
const announcedSeconds = await announced(healedAt)
const requeuedAt = performance.now()
await requeueParked()
const duringParked = await sellNowAndThen(shop, async () => (await queue()).waiting > 0)
const parkedSeconds = (performance.now() - requeuedAt) / 1000
await expectQueue({ waiting: 0, failed: 0 })

const late = received.map(({ zki }) => deadlines.get(zki)).filter((deadline) => deadline !== undefined)
const disorder = late.filter((deadline, i) => i > 0 && deadline < (late[i - 1] ?? 0)).length
const usual = median([...before, ...after])
const withinTwiceUsual = (times: number[]) => times.filter((ms) => ms <= 2 * usual).length / times.length
const share = withinTwiceUsual(during)
const row = (times: number[]) => ({
  sales: times.length,
  'median (ms)': round(median(times)),
  '95 % (ms)': round(quantile(times, 0.95)),
  'worst (ms)': round(Math.max(...times)),
  'median, ratio to usual': round(median(times) / usual),
})
console.table({
  'before the outage': row(before),
  'during the drain': row(during),
  afterwards: row(after),
  'while parked ones are sent': row(duringParked),
})
const figures = {
  queued: QUEUE,
  outageSeconds: round(outageSeconds),
  drainSeconds: round(drainSeconds),
  drainedPerSecond: round(QUEUE / drainSeconds),
  sentInDrain: late.length,
  outOfOrder: disorder,
  usualMs: round(usual),
  shareWithinTwiceUsual: round(share),
  parked: PARKED,
  parkedAnnouncedSeconds: announcedSeconds === null ? null : round(announcedSeconds),
  parkedDrainSeconds: round(parkedSeconds),
  parkedShareWithinTwiceUsual: round(withinTwiceUsual(duringParked)),
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
const isAnnounced = announcedSeconds !== null && announcedSeconds <= 60
if (share < 0.95 || disorder > 0 || late.length !== QUEUE || !isAnnounced) process.exitCode = 1
await life.terminate()
scratch.close()

/** One customer after another at the same machine. @returns what each sale took, ms */
async function sellNowAndThen(at: Shop, more: (times: number[]) => boolean | Promise<boolean>): Promise<number[]> {
  const times: number[] = []
  while (await more(times)) {
    const start = performance.now()
    const { status } = await sell(at, 0, Date.now())
    times.push(performance.now() - start)
    if (status !== 'confirmed') throw new Error(`a live sale is ${status}`)
    await setTimeout(SALE_EVERY_MS - Math.min(SALE_EVERY_MS, performance.now() - start))
  }
  return times
}

/** Sales of 29 days in no order, which get no JIR that can be believed. @returns the deadline of each ZKI */
async function sellPast(at: Shop, count: number) {
  const start = performance.now()
  const deadlines = new Map<string, number>()
  let made = 0
  await Promise.all(
    Array.from({ length: CLERKS }, async (_, machine) => {
      while (made < count) {
        made++
        const occurredAt = Math.floor(Date.now() - chance.between(60_000, 29 * DAY_MS))
        const { zki } = await sell(at, machine, occurredAt)
        deadlines.set(zki, occurredAt)
      }
    }),
  )
  return { deadlines, seconds: (performance.now() - start) / 1000 }
}

async function sell({ machines, key, target }: Shop, machine: number, occurredAt: number) {
  const body = JSON.stringify({
    device_id: machines[machine]?.id,
    occurred_at: new Date(occurredAt).toISOString(),
    total: '2.50',
    payment_method: 'G',
  })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const answer = await ask(target, { method: 'POST', path: '/v1/invoices', headers, body })
  if (answer?.status !== 200) throw new Error(`a sale was not taken: ${answer?.text ?? 'no answer'}`)
  return JSON.parse(answer.text) as { status: string; zki: string }
}

async function queue(): Promise<{ waiting: number; failed: number }> {
  const { retrying, pending, failed } = (await admin({ path: '/admin/sweep' })).queue
  return { waiting: retrying + pending, failed }
}

async function expectQueue(wanted: { waiting: number; failed: number }): Promise<void> {
  const { waiting, failed } = await queue()
  if (waiting === wanted.waiting && failed === wanted.failed) return
  throw new Error(`${waiting} sales wait and ${failed} failed instead of ${wanted.waiting} and ${wanted.failed}`)
}

/** @returns seconds until an alert says that parked sales may be sent; null when none did in time */
async function announced(healedAt: number): Promise<number | null> {
  while (performance.now() - healedAt < ANNOUNCED_WITHIN_MS) {
    const { data } = await admin({ path: '/admin/alerts?state=open' })
    if (data.some(({ kind }: { kind: string }) => kind === 'answers_believed')) {
      return (performance.now() - healedAt) / 1000
    }
    await setTimeout(250)
  }
  return null
}

async function requeueParked(): Promise<void> {
  const body = JSON.stringify({ code: 'upstream_signature_invalid' })
  const { requeued } = await admin({ method: 'POST', path: '/admin/invoices/requeue', body })
  if (requeued !== PARKED) throw new Error(`${requeued} sales were sent again instead of ${PARKED}`)
}

async function admin(question: Question) {
  const headers = { ...(question.body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await ask({ socketPath: join(dataDir, 'fiskd.sock') }, { ...question, headers })
  if (answer?.status !== 200) throw new Error(`${question.path}: ${answer?.text ?? 'no answer'}`)
  return JSON.parse(answer.text)
}
