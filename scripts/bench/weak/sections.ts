import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { say } from '../../chaos/arguments.ts'
import type { Authority } from '../../chaos/authority.ts'
import type { Chance } from '../../chaos/chance.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { median, quantile, round } from '../statistics.ts'
import { paceHere } from './boards.ts'
import { openCgroup } from './cgroup.ts'
import { openWeakKiosk } from './kiosk.ts'
import { livesIn, pressOnMemory } from './memory.ts'
import type { WeakOptions } from './options.ts'
import { measureAt } from './pace.ts'

/** What each section works with. */
export interface Parts {
  dist: string
  authority: Authority
  chance: Chance
}

/** Prints a table. @returns what is not as it has to be */
export type Section = (options: WeakOptions, parts: Parts, scratch: Scratch) => Promise<string[]>

const UNIT = readFileSync(fileURLToPath(new URL('../../../systemd/fiskd.service', import.meta.url)), 'utf8')
const numberOf = (setting: string) => Number(new RegExp(`^${setting}=(-?\\d+)`, 'm').exec(UNIT)?.[1] ?? 0)

const MB = 1024 * 1024

/** A board that is hot runs at half its pace. */
const HEATS = [1, 0.5]

export async function measurePace({ boards, sales }: WeakOptions, parts: Parts, scratch: Scratch): Promise<string[]> {
  const here = paceHere()
  say(`one core here: ${here.rsa2048} RSA-2048 and ${here.rsa4096} RSA-4096 signatures a second`)
  const rows: Record<string, object> = {}
  const problems: string[] = []
  for (const board of boards) {
    for (const heat of HEATS) {
      const title = `${board.title}${heat === 1 ? '' : ', at half the pace'}`
      const name = `${board.name}-${heat * 100}`
      const signs = heat * board.signs
      const group = openCgroup(name, scratch)
      group.limitMemory(board.memoryMb * MB)
      const kiosk = await openWeakKiosk(name, { ...parts, group }, scratch)
      const { row, latestSignMs } = await measureAt(kiosk, group, { share: signs / here.rsa4096, sales, signs })
      await kiosk.close()
      rows[title] = row
      const patienceMs = (numberOf('WatchdogSec') * 1000) / 2
      if (latestSignMs >= patienceMs) problems.push(`${title}: a sign of life came ${Math.round(latestSignMs)} ms late`)
    }
  }
  console.table(rows)
  return problems
}

const SMALL_MB = 512
const PRESSURE_S = 45

/**
 * With and without what the unit says of the daemon when memory is short. Sales that are not
 * answered are no failure: the kernel reads pages of programs anew all the time then, and firmware posts them again.
 */
export async function measurePressure(_: WeakOptions, parts: Parts, scratch: Scratch): Promise<string[]> {
  const unitAdjust = numberOf('OOMScoreAdjust')
  const rows: Record<string, object> = {}
  const problems: string[] = []
  for (const adjust of new Set([0, unitAdjust])) {
    const name = `pressure${adjust}`
    const group = openCgroup(name, scratch)
    group.limitMemory(SMALL_MB * MB)
    const kiosk = await openWeakKiosk(name, { ...parts, group }, scratch)
    const pressed = await pressOnMemory(kiosk, group, { adjust, seconds: PRESSURE_S }, scratch)
    await kiosk.close()
    const { kills, daemonLives, times, lost } = pressed
    rows[`OOMScoreAdjust=${adjust}`] = {
      'killed for want of memory': kills,
      'the daemon lives': daemonLives,
      sales: times.length,
      'not answered': lost,
      'median, ms': round(median(times)),
      'worst, ms': round(Math.max(...times)),
    }
    if (adjust !== unitAdjust) continue
    if (!daemonLives) problems.push(`with ${SMALL_MB} MB the daemon was killed while others took the memory`)
    if (kills === 0) problems.push(`nobody was killed: the ${SMALL_MB} MB were not all taken`)
  }
  say(`${SMALL_MB} MB without swap, of which other processes take all for ${PRESSURE_S} s`)
  console.table(rows)
  return problems
}

const LIMITS_MB = [256, 192, 160, 128, 112, 96]

export async function measureLimits(_: WeakOptions, parts: Parts, scratch: Scratch): Promise<string[]> {
  const group = openCgroup('limits', scratch)
  const kiosk = await openWeakKiosk('limits', { ...parts, group }, scratch)
  const rows: Record<string, object> = {}
  for (const megabytes of LIMITS_MB) {
    const lived = await livesIn(kiosk, group, megabytes, scratch)
    if ('failed' in lived) {
      rows[`${megabytes} MB`] = lived
      break
    }
    const { startMs, times, kills } = lived
    const worst = round(quantile(times, 1))
    rows[`${megabytes} MB`] = {
      'start, ms': round(startMs),
      'median, ms': round(median(times)),
      'worst, ms': worst,
      kills,
    }
  }
  await kiosk.close()
  say('the daemon and its children alone in so much memory: start, 20 sales, a backup')
  console.table(rows)
  return []
}
