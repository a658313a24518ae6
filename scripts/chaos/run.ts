import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, simulated, startAuthority, trustAuthority } from './authority.ts'
import { createChance } from './chance.ts'
import { openClock } from './clock.ts'
import { type Ending, startDaemon } from './daemon.ts'
import { type Kept, readDatabase } from './database.ts'
import { openDisk } from './disk.ts'
import { ask } from './http.ts'
import type { Evidence } from './judge.ts'
import { type KillReport, killAtRandom } from './killer.ts'
import { type Load, startLoad } from './load.ts'
import type { ChaosOptions } from './options.ts'
import { openPaper } from './paper.ts'
import { freePort } from './ports.ts'
import { distOfRun } from './sabotage.ts'
import type { Scratch } from './scratch.ts'
import { confirmAll, list, repeatAll } from './settle.ts'
import { OIB, setUpShop } from './shop.ts'
import { tick } from './wait.ts'

/** Everything that one run has to tell. */
export interface Outcome {
  evidence: Evidence
  report: KillReport
  load: Load
  /** How often the disk was full and the clock was moved; null where nobody did that. */
  diskFilled: number | null
  clockMoved: number | null
  /** How the last daemon ended on SIGTERM. */
  stop: Ending
  seconds: number
}

/** Days. Still inside the deadline, and outside of it for a clock that is ahead by more than one and a half. */
const OLD_SALE_MS = 28.5 * 86_400_000

/** For what is under way, and for the backlog, when nothing is disturbed any more. */
const FINISH_MS = 60_000
const CONFIRM_MS = 120_000

/** Refusals that a sale gets over when the clock is right again: the machine posts it later. */
const CLOCK_REFUSALS = ['400 hr.sale_older_than_30_days', '400 hr.date_in_future']

/** @throws UsageError when the machine lacks what an option needs */
export async function runChaos(options: ChaosOptions, scratch: Scratch): Promise<Outcome> {
  const startedAt = tick()
  const chance = createChance(options.seed)
  const disk = options.disk ? openDisk(chance.branch(), scratch) : null
  const clock = options.clock ? openClock(chance.branch(), scratch) : null
  const dist = distOfRun(options, scratch)
  const dataDir = disk?.dataDir ?? join(scratch.dir, 'data')
  const authorityPort = await freePort(chance)
  const port = await freePort(chance)
  const authority = await startAuthority({ port: authorityPort, seed: options.seed, oib: OIB }, scratch)
  const env = { ...daemonEnv(dataDir, port, authority), ...clock?.env }
  const start = () => startDaemon(dist, { ...env, ...(disk && diskEnv(chance.next())) }, scratch)

  trustAuthority(dataDir, authority.facts)
  const first = start()
  if ((await first.ready) === null) throw new Error(`the daemon did not start:\n${(await first.ended).lastWords}`)
  const base = `https://127.0.0.1:${port}`
  const paper = openPaper(join(scratch.dir, 'paper'))
  const shop = await setUpShop({ dataDir, base, devices: options.devices, authority: authority.facts, paper })
  const load = startLoad({
    shop,
    chance: chance.branch(),
    ...(clock && { oldAgeMs: OLD_SALE_MS, passing: CLOCK_REFUSALS }),
  })
  if (!(await load.moreAnswers(options.devices, FINISH_MS))) throw new Error('the machines cannot sell at all')
  await authority.wild()
  disk?.begin()
  clock?.begin()
  await first.kill()
  const giveUpAt = startedAt + options.secondsMax * 1000
  const report = await killAtRandom({ kills: options.kills, giveUpAt, start, load, authority, chance: chance.branch() })

  // From here on nothing is disturbed: what can be confirmed, must be.
  const diskFilled = disk && (await disk.finish())
  const clockMoved = clock && (await clock.finish())
  await authority.calm()
  const last = start()
  const readyMs = await last.ready
  if (readyMs !== null) report.startsMs.push(readyMs)
  await load.finish(FINISH_MS)
  await confirmAll(shop, CONFIRM_MS)
  await repeatAll(load)
  const shown = await list(shop)
  const status = await ask({ socketPath: join(dataDir, 'fiskd.sock') }, { path: '/admin/status' })
  const stop = await last.terminate()
  const received = await authority.received()
  const said = `${status?.text}${readFileSync(join(scratch.dir, 'daemon.log'), 'utf8')}`
  const kept = withStops(readDatabase(dataDir), said, disk !== null)
  const evidence = { sales: load.sales, shown, kept, received, paper: paper.zkis() }
  return { evidence, report, load, diskFilled, clockMoved, stop, seconds: (tick() - startedAt) / 1000 }
}

/** What a daemon says of a premises that it stops, in its status and in its log. */
const STOPPED = /the database lacks sales|sales that were issued are not in the database/g

/** With stops that are over, too. A full disk takes no record, and that is told. @param said status and log of all lives */
function withStops(kept: Kept, said: string, isFull: boolean): Kept {
  const alerts = kept.stopped.filter((stop) => !isFull || !stop.startsWith('issued_record'))
  return { ...kept, stopped: [...alerts, ...new Set(said.match(STOPPED))] }
}

function daemonEnv(dataDir: string, port: number, authority: Authority): Record<string, string> {
  return {
    FISKD_DATA_DIR: dataDir,
    FISKD_LISTEN: `127.0.0.1:${port}`,
    ...simulated(authority.facts),
    FISKD_SWEEP_INTERVAL_S: '1',
  }
}

/** Mostly no floor, so that the file system's own refusal is met; else one that a disk of this size can have. */
function diskEnv(roll: number): Record<string, string> {
  return { FISKD_DISK_FLOOR_MB: roll < 0.6 ? '0' : '20' }
}
