import { execFileSync } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Agent, request } from 'undici'
import { openStore } from '../../src/store/store.ts'
import { encodeRecord } from '../../src/sync/wire/records.ts'
import { HEARTBEAT } from '../../test/support/commands.ts'
import { createChance } from '../chaos/chance.ts'
import { type Life, startDaemon } from '../chaos/daemon.ts'
import { freePort } from '../chaos/ports.ts'
import { openScratch } from '../chaos/scratch.ts'
import { startLink } from '../chaos-sync/link-beside.ts'
import { copyKeys } from '../chaos-sync/servers.ts'
import { fsyncsPerSecond, insertsPerSecond } from './ceilings.ts'
import { cpuMs, residentMb } from './environment/process-use.ts'
import { fillWithSales, storeGateways } from './fill-fleet.ts'
import { type BenchGateway, fleetOf, saleOf } from './fleet-rows.ts'
import { postgresCeilings, startPostgres } from './postgres-place.ts'
import { median, quantile, round } from './statistics.ts'

/**
 * How fast a central server takes in what its gateways tell, with so many invoices stored already. The server is the
 * built program in a process of its own; this one is all of its gateways: each waits in a long poll on a connection of its
 * own, and they push in turn over TLS, each batch of another gateway: 200 sales, where one that catches up sends up to 250.
 * Every invoice comes with the one message that it takes in life, request and answer XML. Bodies are made before the clock
 * runs.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,1000000' },
    seconds: { type: 'string', default: '40' },
    /** Or `postgres`: a private cluster, which needs Debian's package. */
    store: { type: 'string', default: 'sqlite' },
    /** With postgres: how many serve it, and the round trip that a proxy adds before it; each is measured. */
    processes: { type: 'string', default: '1' },
    'delay-ms': { type: 'string', default: '0' },
    gateways: { type: 'string', default: '5000' },
    batch: { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '8' },
    dist: { type: 'string' },
  },
})
const SECONDS = Number(options.seconds)
const BATCH = Number(options.batch)
const AT_ONCE = Number(options['at-once'])
/** Faster than this no run is fed. */
const MOST_PER_SECOND = 3500
/** Less is slower; what is between it and 1 differs between two runs of the same. */
const LEAST_PROCESS_RATIO = 0.95
const DIST = options.dist ?? fileURLToPath(new URL('../../dist', import.meta.url))

const chance = createChance(20)
const scratch = openScratch(false)
const postgres = options.store === 'postgres' ? await startPostgres(scratch) : undefined
const wanted = postgres ? 1000 : 2000

const numbersOf = (text: string) => text.split(',').map(Number)
const results: Record<string, Awaited<ReturnType<typeof measure>>> = {}
/** Of invoices a second: of several processes, to those of one at the same delay. */
const processRatios: number[] = []
for (const delayMs of numbersOf(options['delay-ms'])) {
  for (const rows of numbersOf(options.rows)) {
    let ofOne: number | undefined
    for (const processes of numbersOf(options.processes)) {
      const name = `${rows}, ${processes} at ${delayMs} ms`
      const result = await measure({ rows, processes, delayMs })
      results[name] = result
      say(JSON.stringify(result))
      if (processes === 1) ofOne = result['invoices/s']
      else if (ofOne !== undefined) processRatios.push(round(result['invoices/s'] / ofOne))
    }
  }
}
console.table(results)

const [first, last] = [Object.values(results)[0], Object.values(results).at(-1)]
const costs = [first, last].map((result) => result?.['server CPU per invoice (µs)'] ?? Number.NaN) as [number, number]
const rates = Object.values(results).map((result) => result['invoices/s'])
/** Several processes, or one far from its database, are measured beside one, and not by what is wanted of one beside it. */
const isBeside = options['delay-ms'] === '0' && options.processes === '1'
const summary = {
  store: options.store,
  gateways: Number(options.gateways),
  batch: BATCH,
  seconds: SECONDS,
  slowestPerSecond: Math.min(...rates),
  costRatio: round(costs[1] / costs[0]),
  wallRatio: round((first?.['invoices/s'] ?? Number.NaN) / (last?.['invoices/s'] ?? Number.NaN)),
  processRatios,
}
process.stdout.write(`${JSON.stringify(summary)}\n`)
const isSlow = summary.slowestPerSecond < wanted || !(summary.wallRatio <= 1.3)
if (isBeside && isSlow) process.exitCode = 1
if (processRatios.some((ratio) => ratio < LEAST_PROCESS_RATIO)) process.exitCode = 1
scratch.close()

async function measure({ rows, processes, delayMs }: { rows: number; processes: number; delayMs: number }) {
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-ingest-'))
  scratch.atTheEnd(() => rmSync(dir, { recursive: true, force: true }))
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir)
  const database = join(dataDir, 'fiskd.db')
  const place = postgres ? await postgres.create(`ingest_${rows}`) : database
  const fleet = fleetOf(Number(options.gateways))
  say(`storing ${fleet.length} gateways and ${rows} invoices with their messages`)
  await storeGateways(place, fleet)
  await fillWithSales(place, fleet, rows)
  say('preparing what they push')
  const bodies = prepare(fleet, Math.ceil((MOST_PER_SECOND * SECONDS) / BATCH))
  const line = postgres && (await startLink([join(postgres.dir, '.s.PGSQL.5432')], 1, scratch))
  const lives: Life[] = []
  const urls: string[] = []
  for (let i = 0; i < processes; i++) {
    const ownDir = i === 0 ? dataDir : join(dir, `data-${i}`)
    if (i > 0) copyKeys(dataDir, ownDir)
    const port = await freePort(chance)
    const env = {
      FISKD_ROLE: 'server',
      FISKD_DATA_DIR: ownDir,
      FISKD_LISTEN: `127.0.0.1:${port}`,
      ...(line && { FISKD_DATABASE_URL: `postgres://fiskd@127.0.0.1:${line.port}/ingest_${rows}` }),
    }
    const life = startDaemon(DIST, env, scratch)
    if ((await life.ready) === null) throw new Error((await life.ended).lastWords)
    lives.push(life)
    urls.push(`https://127.0.0.1:${port}`)
  }
  const homes = new Map(fleet.map((gateway, i) => [gateway, urls[i % urls.length] as string]))
  const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8')
  execFileSync('sync')
  say('connecting all gateways')
  const polls = await waitForCommands(homes, ca)
  await line?.delay(delayMs)
  const server = processesOf(lives.map(({ pid }) => pid ?? 0))
  const agent = new Agent({ connections: AT_ONCE, connect: { ca } })

  const before = { cpu: server.cpuMs(), rss: server.rssMb() }
  const samples: number[] = [before.rss]
  const health: number[] = []
  let [stored, next, running] = [0, 0, true]
  const sampler = (async () => {
    while (running) {
      samples.push(server.rssMb())
      const asked = performance.now()
      await (await request(`${urls[0]}/v1/health`, { dispatcher: agent })).body.dump()
      health.push(performance.now() - asked)
      await setTimeout(100)
    }
  })()
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() - started < SECONDS * 1000 && next < bodies.length) {
        const { gateway, body, upto } = bodies[next++] as Body
        const { statusCode, body: answer } = await request(`${homes.get(gateway)}/sync/v1/push`, {
          method: 'POST',
          dispatcher: agent,
          body,
          headers: headersOf(gateway),
        })
        const said = (await answer.json()) as { mark: number; refused: unknown[] }
        if (statusCode !== 200 || said.mark !== upto || said.refused.length > 0) {
          throw new Error(`a push was answered with ${statusCode} ${JSON.stringify(said).slice(0, 500)}`)
        }
        stored += BATCH
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  running = false
  await sampler
  const cpuMs = server.cpuMs() - before.cpu
  const rssEnd = server.rssMb()
  await polls.close()
  await agent.destroy()
  for (const life of lives) await life.terminate()
  line?.kill()
  const ceilings = postgres ? await postgresCeilings(postgres, place) : await sqliteCeilings(dir, database)
  await postgres?.drop(`ingest_${rows}`)
  rmSync(dir, { recursive: true, force: true })
  return {
    'stored before': rows,
    'taken in': stored,
    'invoices/s': round(stored / seconds),
    'server CPU per invoice (µs)': round((cpuMs * 1000) / stored),
    'server CPU (cores)': round(cpuMs / 1000 / seconds),
    'RSS start (MB)': round(before.rss),
    'RSS most (MB)': round(Math.max(...samples)),
    'RSS end (MB)': round(rssEnd),
    'health median (ms)': round(median(health)),
    'health 95 % (ms)': round(quantile(health, 0.95)),
    'KB per push': round((bodies[0] as Body).body.length / 1024),
    'disk: 4 KB fsync/s': round(fsyncsPerSecond(tmpdir())),
    [`bare ${options.store}: transactions of 1/s`]: round(ceilings.singly),
    [`bare ${options.store}: in bulk/s`]: round(ceilings.inBulk),
  }
}

interface Body {
  gateway: BenchGateway
  body: Buffer
  upto: number
}

/** Batches of one gateway after the other, so that no gateway has a second one on the way at the same time. */
function prepare(fleet: readonly BenchGateway[], count: number): Body[] {
  return Array.from({ length: count }, (_, i) => {
    const gateway = fleet[(i * 7919) % fleet.length] as BenchGateway
    const after = gateway.version
    const records = Array.from({ length: BATCH }, () => saleOf(gateway)).flat()
    const upto = gateway.version
    const body = gzipSync(JSON.stringify({ after, upto, records: records.map(encodeRecord) }), { level: 1 })
    return { gateway, body, upto }
  })
}

function headersOf({ credential, session }: BenchGateway) {
  return {
    authorization: `Bearer ${credential}`,
    'fiskd-sync-session': session,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  }
}

/** Each gateway asks for commands again and again, as it does in life. Resolves when all of them are waiting. */
async function waitForCommands(homes: ReadonlyMap<BenchGateway, string>, ca: string) {
  const fleet = [...homes.keys()]
  const agent = new Agent({ connections: null, pipelining: 1, connect: { ca }, headersTimeout: 120_000 })
  const stopped = new AbortController()
  setMaxListeners(0, stopped.signal)
  const loops: Promise<void>[] = []
  const poll = async (gateway: BenchGateway, wait_s: number) => {
    const { 'content-encoding': _, ...headers } = headersOf(gateway)
    const body = JSON.stringify({ wait_s, heartbeat: HEARTBEAT, last_command: 0 })
    const { statusCode, body: answer } = await request(`${homes.get(gateway)}/sync/v1/poll`, {
      method: 'POST',
      dispatcher: agent,
      body,
      headers,
      signal: stopped.signal,
    })
    if (statusCode !== 200) throw new Error(`a poll was answered with ${statusCode} ${await answer.text()}`)
    await answer.dump()
  }
  for (let start = 0; start < fleet.length; start += 50) {
    await Promise.all(
      fleet.slice(start, start + 50).map(async (gateway) => {
        await poll(gateway, 0)
        const loop = async () => {
          while (!stopped.signal.aborted) await poll(gateway, 30 + Math.floor(Math.random() * 25))
        }
        loops.push(loop().catch(() => {}))
      }),
    )
  }
  return {
    async close() {
      stopped.abort()
      await Promise.all(loops)
      await agent.destroy()
    },
  }
}

/** All processes of the server together, as the kernel sees them. */
function processesOf(pids: readonly number[]) {
  return {
    cpuMs: () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0),
    rssMb: () => pids.reduce((sum, pid) => sum + residentMb(pid).all, 0),
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** The same rows as the server has just stored, in a database of the same schema without the server. */
async function sqliteCeilings(dir: string, database: string) {
  const path = join(dir, 'bare.db')
  await (await openStore(path, Date.now())).close()
  const source = new Database(database, { readonly: true })
  const rowsOf = (table: string) => source.prepare(`SELECT * FROM ${table} ORDER BY rowid DESC LIMIT 30000`).raw(true)
  const [invoices, messages] = [rowsOf('invoices'), rowsOf('messages')]
  const [ofInvoices, ofMessages] = [invoices.all(), messages.all()] as [unknown[][], unknown[][]]
  const columns = {
    invoices: invoices.columns().map(({ name }) => name),
    messages: messages.columns().map(({ name }) => name),
  }
  source.close()
  const pairs = ofInvoices.map((row, i) => [row, ofMessages[i]] as [unknown[], unknown[]])
  return insertsPerSecond(path, columns, pairs)
}
