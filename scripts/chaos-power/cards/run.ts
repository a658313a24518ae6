import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, simulated, startAuthority, trustAuthority } from '../../chaos/authority.ts'
import { createChance } from '../../chaos/chance.ts'
import { startDaemon } from '../../chaos/daemon.ts'
import { readDatabase } from '../../chaos/database.ts'
import { type Finding, judge } from '../../chaos/judge.ts'
import { type Load, startLoad } from '../../chaos/load.ts'
import { freePort } from '../../chaos/ports.ts'
import type { Sale } from '../../chaos/sale.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { confirmAll, list, repeatAll } from '../../chaos/settle.ts'
import { OIB, setUpShop } from '../../chaos/shop.ts'
import { pause, tick } from '../../chaos/wait.ts'
import { run } from '../../package/run.ts'
import { type Card, openCard } from './card.ts'
import type { CardCase } from './cases.ts'
import { problemsOf } from './fisk.ts'
import { startServer } from './server.ts'
import { keepRunning, type Service } from './service.ts'

/** Everything that one case has to tell. */
export interface CardOutcome {
  card: CardCase
  /** Sales on the bad card, and what their posts were told, each with its count. */
  told: Map<string, number>
  /** The slowest answer while the card was bad, milliseconds. */
  slowestMs: number
  /** What was said while the card was bad. */
  status: string[]
  doctor: string[]
  /** How often the daemon ended by itself. */
  ends: number
  /** Of the next start. */
  doctorAfter: string[]
  listed: number
  sales: Sale[]
  findings: Finding[]
}

const MACHINES = 2
const FINISH_MS = 60_000
const CONFIRM_MS = 60_000

/** One bad card from its first sale to the judgement. */
export async function runCase(
  card: CardCase,
  { dist, seed }: { dist: string; seed: number },
  scratch: Scratch,
): Promise<CardOutcome> {
  const dir = join(scratch.dir, card.name)
  mkdirSync(dir)
  const chance = createChance(seed)
  const [authorityPort, port, serverPort] = [await freePort(chance), await freePort(chance), await freePort(chance)]
  const authority = await startAuthority({ port: authorityPort, seed, oib: OIB }, scratch)
  const slot = await openCard(join(dir, 'slot'), card.mount, scratch)
  const dataDir = join(slot.path, 'data')
  const socketPath = join(dir, 'fiskd.sock')
  const env = envOf(dataDir, socketPath, port, authority)
  trustAuthority(dataDir, authority.facts)
  const start = () => keepRunning(() => startDaemon(dist, env, scratch, `${card.name}.log`))
  let service = start()
  if (!(await service.ready())) throw new Error('the daemon did not start')
  const base = `https://127.0.0.1:${port}`
  const shop = await setUpShop({ dataDir, socketPath, base, devices: MACHINES, authority: authority.facts })
  const central = card.server ? await startServer({ dist, port: serverPort, authority }, scratch) : null
  await central?.enrol(socketPath)
  const sell = () => startLoad({ shop, chance: chance.branch(), paceMs: 400 })
  let load = sell()
  const sales = load.sales
  if (!(await load.moreAnswers(6, FINISH_MS))) throw new Error('the machines cannot sell at all')
  await central?.told(socketPath, 'something')
  // A technician does not cut the power while a machine is set up.
  run('sync', ['-f', slot.path])
  // From here on the card is bad.
  const before = sales.length
  const filled = await begin(card, slot, dataDir, service, start)
  service = filled.service
  const watching = watchAnswers(load)
  await pause(card.seconds * 1000)
  // The server shall know all that the card is going to lose.
  if (card.lies) await load.finish(FINISH_MS)
  await central?.told(socketPath, 'everything')
  const cli = { FISKD_SOCKET: socketPath, FISKD_DATA_DIR: dataDir }
  const status = await problemsOf(dist, cli, 'status')
  const doctor = await problemsOf(dist, cli, 'doctor')
  const { slowestMs } = watching.end()
  const told = toldSince(sales, before - MACHINES)
  let ends = service.ends()

  // The current fails. Whatever else it was, the card is good after that.
  if (!card.cutWhileBad) {
    await slot.suffer({})
    filled.makeRoom()
  }
  await service.kill()
  await slot.cutPower()
  service = start()
  await service.ready()
  if (card.lies) {
    load = sell()
    await load.moreAnswers(4, FINISH_MS)
  }
  await load.finish(FINISH_MS)
  if (card.lies) sales.push(...load.sales)
  await confirmAll(shop, CONFIRM_MS)
  if (!card.lies) await repeatAll(load)
  await central?.told(socketPath, 'everything')
  const doctorAfter = await problemsOf(dist, cli, 'doctor')
  const shown = await list(shop)
  ends += service.ends()
  await service.terminate()
  const evidence = {
    sales,
    shown,
    // A card that loses what it said to have flushed stops sales, and one that takes no record is told.
    kept: { ...readDatabase(dataDir), stopped: [] },
    received: await authority.received(),
    paper: [],
  }
  const findings = judge(evidence)
  await central?.stop()
  slot.close()
  return {
    card,
    told,
    slowestMs,
    status,
    doctor,
    ends,
    doctorAfter,
    listed: shown.length,
    sales,
    findings,
  }
}

function envOf(dataDir: string, socketPath: string, port: number, { facts }: Authority): Record<string, string> {
  return {
    FISKD_DATA_DIR: dataDir,
    FISKD_SOCKET: socketPath,
    FISKD_LISTEN: `127.0.0.1:${port}`,
    ...simulated(facts),
    FISKD_SWEEP_INTERVAL_S: '1',
    FISKD_DISK_FLOOR_MB: '10',
  }
}

async function begin(card: CardCase, slot: Card, dataDir: string, service: Service, start: () => Service) {
  const ballast = join(slot.path, 'ballast')
  let running = service
  if (card.before === 'cold') {
    await service.kill()
    slot.forget(
      readdirSync(dataDir)
        .filter((name) => name.startsWith('fiskd.db'))
        .map((name) => join(dataDir, name)),
    )
    await slot.suffer(card.mood)
    running = start()
  } else await slot.suffer(card.mood)
  if (card.before === 'full') {
    const { bavail, bsize } = statfsSync(slot.path)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 400_000))
  }
  return { service: running, makeRoom: () => rmSync(ballast, { force: true }) }
}

/** Measures how long machines wait for an answer. */
function watchAnswers({ counts }: Load) {
  let [last, since, slowestMs] = [counts.answered, tick(), 0]
  const timer = setInterval(() => {
    const now = tick()
    slowestMs = Math.max(slowestMs, now - since)
    if (counts.answered === last) return
    ;[last, since] = [counts.answered, now]
  }, 50)
  return {
    end() {
      clearInterval(timer)
      return { slowestMs }
    },
  }
}

function toldSince(sales: readonly Sale[], from: number): Map<string, number> {
  const told = new Map<string, number>()
  const count = (what: string, by = 1) => told.set(what, (told.get(what) ?? 0) + by)
  for (const { seen, refusals } of sales.slice(Math.max(0, from))) {
    if (seen.length > 0) count('200', seen.length)
    for (const refusal of refusals) count(refusal)
    if (seen.length === 0 && refusals.length === 0) count('no answer')
  }
  return told
}
