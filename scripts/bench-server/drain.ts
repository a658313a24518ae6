import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openStore } from '../../src/store/store.ts'
import { createFigures } from '../bench/figures.ts'
import { storeSales } from '../bench/stored-sales.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Ground, journalProblems, openGround, openStand, type ServerStand } from './environment.ts'
import type { ServerBenchOptions } from './options.ts'
import type { Measured } from './points.ts'

/** As many premises as `storeSales` has machines. */
const PREMISES = 10

const DAY_MS = 86_400_000

/** What is wanted of a queue of 10,000 invoices, an authority that takes a second, and three processes. */
const WANTED = { queue: 10_000, seconds: 600, takenOverSeconds: 15 }

/** One process is killed after that share of the queue. */
const KILLED_AFTER = 0.1

/**
 * How long a queue takes that waits for the authority, and how soon what a killed process had on its way is sent by
 * another one. Nothing is sold meanwhile.
 */
export async function measureDrain(queue: number, options: ServerBenchOptions, scratch: Scratch): Promise<Measured> {
  const [processes = 1] = options.processes
  const [delayMs = 0] = options.delaysMs
  const ground = await openGround(options.authorityMs, scratch)
  const stand = await openStand({ name: 'drain', dist: options.dist, processes, premises: PREMISES }, ground, scratch)
  await stand.run(0)
  await storeQueue(queue, ground.postgres.url(stand.database), stand)
  const database = new pg.Client({ connectionString: ground.postgres.url(stand.database) })
  await database.connect()
  await stand.run(processes)
  await ground.line.delay(delayMs)

  const figures = createFigures()
  const problems: string[] = []
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const isOver = () => seconds() > options.minutesMax * 60
  let waiting = queue
  let takenOver: Promise<number | null> | undefined
  while (waiting > 0 && !isOver()) {
    await pause(250)
    waiting = await countWaiting(database)
    if (queue - waiting >= queue * KILLED_AFTER && processes > 1) takenOver ??= killOne(stand, ground, database, isOver)
  }
  const drained = seconds()
  const takenOverSeconds = (await takenOver) ?? null
  const isWanted = queue >= WANTED.queue
  figures.add(
    `${queue} waiting, sent by ${processes} processes`,
    's',
    waiting === 0 ? drained : Number.NaN,
    isWanted ? { most: WANTED.seconds } : undefined,
  )
  figures.add('sent in a second', '1/s', (queue - waiting) / drained)
  if (waiting > 0) problems.push(`${waiting} of ${queue} still wait after ${Math.round(drained)} s`)
  if (takenOverSeconds === null) problems.push('a killed process had nothing on its way, or nobody has taken it over')
  else figures.add('sent by another process after a SIGKILL', 's', takenOverSeconds, { most: WANTED.takenOverSeconds })
  await ground.line.delay(0)
  await stand.run(1)
  problems.push(...(await journalProblems(stand.servers[0])))
  await database.end()
  await stand.run(0)
  return { rows: [], figures, problems }
}

async function storeQueue(count: number, url: string, { shop }: ServerStand): Promise<void> {
  const now = Date.now()
  const store = await openStore(url, now)
  const certificate = await store.certificates.current(shop.companyId)
  if (!certificate) throw new Error('the shop has no certificate')
  const deviceIds = shop.machines.filter((_, i) => i % 2 === 0).map(({ id }) => id)
  const fleet = { companyId: shop.companyId, certificateId: certificate.id, deviceIds }
  await storeSales(store, fleet, count, (i) => ({ occurredAt: now - DAY_MS + i, status: 'retrying' }))
  await store.close()
}

/**
 * Kills the process that has the most on its way, by the number of connections to the authority that break.
 * @returns seconds until all that it had on its way is confirmed; null when it had nothing, or that did not come
 */
async function killOne(
  { servers }: ServerStand,
  { stub }: Ground,
  database: pg.Client,
  isOver: () => boolean,
): Promise<number | null> {
  for (const server of servers) {
    const before = (await stub.abandoned()).length
    const killedAt = performance.now()
    await server.kill()
    // The stub notices when it would have answered.
    await pause(2500)
    const lost = (await stub.abandoned()).slice(before)
    if (lost.length === 0) {
      await server.rise()
      continue
    }
    while (!isOver()) {
      const { rows } = await database.query(
        `SELECT count(*) AS count FROM invoices WHERE zki = ANY($1) AND status <> 'confirmed'`,
        [lost],
      )
      if (Number(rows[0].count) === 0) return (performance.now() - killedAt) / 1000
      await pause(100)
    }
    return null
  }
  return null
}

async function countWaiting(database: pg.Client): Promise<number> {
  const { rows } = await database.query(
    `SELECT count(*) AS count FROM invoices WHERE status IN ('pending', 'retrying') AND gateway_id = ''`,
  )
  return Number(rows[0].count)
}
