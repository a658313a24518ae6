import type { Authority } from './authority.ts'
import type { Chance } from './chance.ts'
import type { Ending, Life } from './daemon.ts'
import type { Load } from './load.ts'
import { pause, tick } from './wait.ts'

export interface KillReport {
  /** By what the daemon was doing, as far as one can tell. */
  kills: { selling: number; answering: number; starting: number; sweeping: number }
  /** Milliseconds from each start to ready. */
  startsMs: number[]
  /** Ends that nobody caused. */
  ownEnds: (Ending & { wasReady: boolean })[]
}

export interface KillerOrder {
  kills: number
  /** By `tick`. */
  giveUpAt: number
  start: () => Life
  load: Load
  authority: Authority
  chance: Chance
}

/** The machines may need so long to find out that the daemon is back. */
const BACK_IN_BUSINESS_MS = 10_000

/** One after another, so that a short run has all of them. */
const KINDS = ['answering', 'answering', 'selling', 'sweeping', 'starting', 'selling'] as const

/** A start that is expected to take no longer than this is killed somewhere within it. */
const FIRST_GUESS_MS = 600

export const totalOf = ({ kills }: KillReport): number => Object.values(kills).reduce((sum, count) => sum + count)

/** Starts the daemon and kills it, again and again, until it has been killed often enough or the time is over. */
export async function killAtRandom(order: KillerOrder): Promise<KillReport> {
  const { kills, giveUpAt, start, load, authority, chance } = order
  const report: KillReport = {
    kills: { selling: 0, answering: 0, starting: 0, sweeping: 0 },
    startsMs: [],
    ownEnds: [],
  }

  /** A backlog comes into being, and the authority comes back to it. */
  async function outage(): Promise<void> {
    await load.moreAnswers(1, BACK_IN_BUSINESS_MS)
    await authority.goDown()
    await pause(chance.between(200, 900))
    await authority.comeBack()
    await pause(chance.between(0, 1500))
  }

  const moments: Record<keyof KillReport['kills'], () => Promise<unknown>> = {
    async selling() {
      await load.moreAnswers(1, BACK_IN_BUSINESS_MS)
      await pause(chance.happens(0.6) ? chance.between(0, 500) : chance.between(500, 3000))
    },
    // Within milliseconds of an answer: whatever it said must be durable already.
    answering: () => load.moreAnswers(Math.ceil(chance.between(1, 30)), BACK_IN_BUSINESS_MS),
    starting: () => pause(chance.between(0, 1.2 * (report.startsMs.at(-1) ?? FIRST_GUESS_MS))),
    sweeping: outage,
  }

  while (totalOf(report) < kills && tick() < giveUpAt) {
    const life = start()
    const kind = KINDS[totalOf(report) % KINDS.length] ?? 'selling'
    const readyMs = kind === 'starting' ? null : await life.ready
    if (readyMs !== null) report.startsMs.push(readyMs)
    if (kind === 'starting' || readyMs !== null) await moments[kind]()
    const ending = await life.kill()
    if (ending.signal === 'SIGKILL') {
      report.kills[kind]++
    } else {
      report.ownEnds.push({ ...ending, wasReady: readyMs !== null })
      await pause(100)
    }
  }
  return report
}
