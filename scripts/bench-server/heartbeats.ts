import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { Agent, request } from 'undici'
import { openStore } from '../../src/store/store.ts'
import { HEARTBEAT } from '../../test/support/commands.ts'
import { postgresPrograms } from '../../test/support/postgres-cluster.ts'
import { createFigures } from '../bench/figures.ts'
import { type BenchGateway, fleetOf } from '../bench/fleet-rows.ts'
import { median, quantile } from '../bench/statistics.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Ground, openGround, openStand, type ServerStand } from './environment.ts'
import type { ServerBenchOptions } from './options.ts'
import type { Measured } from './points.ts'

/** A gateway polls every 55 seconds, and every 30 while it does what it was told. */
const EVERY_S = 30
/** How long each poll waits for commands here: in life up to 55 seconds, on a connection of its own. */
const WAIT_S = 1
/** The batches of a server hold about so many heartbeats, and those of pgbench as well. */
const TOGETHER = 10
const CONNECTIONS = 10

/** What is wanted: the share of a second that PostgreSQL spends on the heartbeats of 5,000 gateways, percent. */
const WANTED = { gateways: 5000, share: 5 }

/** What PostgreSQL spends on the polls of so many gateways, and on the same statements when pgbench makes them. */
export async function measureHeartbeats(
  count: number,
  options: ServerBenchOptions,
  scratch: Scratch,
): Promise<Measured> {
  const { seconds } = options
  const [processes = 1] = options.processes
  const [delayMs = 0] = options.delaysMs
  const ground = await openGround(options.authorityMs, scratch)
  const order = { name: 'heartbeats', dist: options.dist, processes, premises: 1 }
  const stand = await openStand(order, ground, scratch)
  await stand.run(0)
  const fleet = await storeFleet(count, ground.postgres.url(stand.database))
  await stand.run(processes)
  await ground.line.delay(delayMs)
  const database = new pg.Client({ connectionString: ground.postgres.url('postgres') })
  await database.connect()
  const measure = (work: () => Promise<unknown>) => activeShare(database, stand.database, work)

  const figures = createFigures()
  const problems: string[] = []
  // The caches are filled and statements prepared meanwhile.
  await pollAll(fleet, 5, stand)
  const idle = await measure(() => pause(seconds * 1000))
  let polled: Polled | undefined
  const busy = await measure(async () => {
    polled = await pollAll(fleet, seconds, stand)
  })
  const { times, refusals } = polled as Polled
  for (const [refusal, often] of refusals) problems.push(`${often} times ${refusal}`)
  const stored = await countFresh(ground.postgres.url(stand.database))
  if (stored < Math.min(times.length, count) * 0.9) problems.push(`only ${stored} heartbeats were stored`)
  await ground.line.delay(0)
  await stand.run(0)

  const rate = count / EVERY_S
  const same = await measure(() => pgbench({ count, seconds, rate }, stand, ground))
  const fastest = await pgbench({ count, seconds: Math.min(seconds, 5), rate: null }, stand, ground)
  await database.end()

  const at = `${count} gateways, ${processes} processes, ${delayMs} ms`
  figures.add(`polls, ${at}`, '1/s', times.length / seconds)
  figures.add(`a poll that waits ${WAIT_S} s, median`, 'ms', median(times))
  figures.add(`a poll that waits ${WAIT_S} s, 99 %`, 'ms', quantile(times, 0.99))
  const wanted = count >= WANTED.gateways ? { most: WANTED.share } : undefined
  figures.add(`database time of heartbeats, ${at}`, '%', 100 * (busy - idle), wanted)
  figures.add('database time of the processes without gateways', '%', 100 * idle)
  figures.add('database time of the same statements by pgbench', '%', 100 * same)
  figures.add('polls that pgbench makes at full speed', '1/s', fastest)
  return { rows: [], figures, problems }
}

async function storeFleet(count: number, url: string): Promise<BenchGateway[]> {
  const fleet = fleetOf(count)
  const store = await openStore(url, Date.now())
  await store.transaction(async (tx) => {
    for (const { record } of fleet) await tx.gateways.insert(record)
  })
  await store.close()
  return fleet
}

/** The share of a second that sessions of a database were at work for, while something is done: several add up. */
async function activeShare(client: pg.Client, database: string, work: () => Promise<unknown>): Promise<number> {
  const look = async () => {
    // A session reports what it has done at most once a second.
    await pause(1500)
    const { rows } = await client.query('SELECT active_time FROM pg_stat_database WHERE datname = $1', [database])
    return Number(rows[0].active_time)
  }
  const before = await look()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  return ((await look()) - before) / ms
}

interface Polled {
  /** How long the polls took that were answered, milliseconds. */
  times: number[]
  /** Answers other than 200. */
  refusals: Map<string, number>
}

/** Polls of the whole fleet in turn, evenly over the time, each gateway at one process. */
async function pollAll(fleet: readonly BenchGateway[], seconds: number, { servers }: ServerStand): Promise<Polled> {
  const running = servers.filter((server) => server.pid() !== undefined)
  const ca = readFileSync(join(servers[0].dataDir, 'tls', 'ca.pem'), 'utf8')
  const agent = new Agent({ connections: null, pipelining: 1, connect: { ca } })
  const polled: Polled = { times: [], refusals: new Map() }
  const poll = async (gateway: BenchGateway, base: string) => {
    const asked = performance.now()
    const refusal = await pollOnce(gateway, base, agent)
    if (refusal === null) polled.times.push(performance.now() - asked)
    else polled.refusals.set(refusal, (polled.refusals.get(refusal) ?? 0) + 1)
  }
  const perSecond = fleet.length / EVERY_S
  const polls: Promise<void>[] = []
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) / 1000) * perSecond
    while (polls.length < due) {
      const i = polls.length
      const [gateway, server] = [fleet[i % fleet.length], running[i % running.length]]
      if (gateway && server) polls.push(poll(gateway, server.base))
    }
    await pause(5)
  }
  await Promise.all(polls)
  await agent.destroy()
  return polled
}

/** @returns null, or what was said instead of 200 */
async function pollOnce(
  { credential, session }: BenchGateway,
  base: string,
  dispatcher: Agent,
): Promise<string | null> {
  const { statusCode, body } = await request(`${base}/sync/v1/poll`, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${credential}`,
      'fiskd-sync-session': session,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ wait_s: WAIT_S, heartbeat: HEARTBEAT, last_command: 0 }),
  })
  const text = await body.text()
  return statusCode === 200 ? null : `${statusCode} ${text.slice(0, 200)}`
}

async function countFresh(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT count(*) AS count FROM gateways WHERE heartbeat IS NOT NULL')
    return Number(rows[0].count)
  } finally {
    await client.end()
  }
}

const FOLDER = new URL('pgbench', import.meta.url).pathname

/** @param rate polls a second; null for as many as it can. @returns polls a second that it made */
async function pgbench(
  { count, seconds, rate }: { count: number; seconds: number; rate: number | null },
  { database }: ServerStand,
  { postgres }: Ground,
): Promise<number> {
  const given = { count, together: TOGETHER, now: Date.now(), heartbeat: JSON.stringify(HEARTBEAT) }
  const share = TOGETHER / (TOGETHER + 1)
  const { stdout } = await promisify(execFile)(join(postgresPrograms() ?? '', 'pgbench'), [
    ...['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-T', String(seconds)],
    ...(rate === null ? [] : ['-R', String(rate / share)]),
    ...['-f', `${join(FOLDER, 'look.sql')}@${TOGETHER}`, '-f', `${join(FOLDER, 'note.sql')}@1`],
    ...Object.entries(given).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    postgres.url(database),
  ])
  const numberOf = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  if (numberOf(/failed transactions: (\d+)/) > 0) throw new Error(`pgbench did not poll:\n${stdout}`)
  return numberOf(/tps = ([\d.]+)/) * share
}
