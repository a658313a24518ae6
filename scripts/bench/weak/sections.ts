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
import { livesIn, pressOnMemory, TAKER_MB } from './memory.ts'
import type { WeakOptions } from './options.ts'
import { measureAt } from './pace.ts'
import { findVictims, OTHERS } from './victims.ts'

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
const PRESSURE_S = 20
const ROUNDS = 3

/**
 * With and without what the unit says of the daemon when memory is short, in turns. Sales that are not
 * answered are no failure: the kernel reads pages of programs anew all the time then, and firmware posts them again.
 */
export async function measurePressure(_: WeakOptions, parts: Parts, scratch: Scratch): Promise<string[]> {
  const unitAdjust = numberOf('OOMScoreAdjust')
  const rows: object[] = []
  const problems: string[] = []
  const group = openCgroup('pressure', scratch)
  group.limitMemory(SMALL_MB * MB)
  const kiosk = await openWeakKiosk('pressure', { ...parts, group }, scratch)
  for (const adjust of Array.from({ length: ROUNDS }, () => [0, unitAdjust]).flat()) {
    await kiosk.daemon.stop()
    await kiosk.start()
    const pressed = await pressOnMemory(kiosk, group, { adjust, seconds: PRESSURE_S }, scratch)
    const { kills, daemonLives, times, lost } = pressed
    rows.push({
      OOMScoreAdjust: adjust,
      'killed for want of memory': kills,
      'the daemon lives': daemonLives,
      sales: times.length,
      'not answered': lost,
      'median, ms': times.length > 0 ? round(median(times)) : '',
    })
    if (adjust !== unitAdjust) continue
    if (!daemonLives) problems.push(`with ${SMALL_MB} MB the daemon was killed while others took the memory`)
    if (kills === 0) problems.push(`nobody was killed: the ${SMALL_MB} MB were not all taken`)
  }
  await kiosk.close()
  say(`${SMALL_MB} MB without swap, of which other processes of ${TAKER_MB} MB take all for ${PRESSURE_S} s`)
  console.table(rows)
  return problems
}

/** Whom the kernel ends: with and without the unit's OOMScoreAdjust and MemoryMax, in turns. */
export async function measureVictims(_: WeakOptions, parts: Parts, scratch: Scratch): Promise<string[]> {
  const unitMb = (SMALL_MB * numberOf('MemoryMax')) / 100
  const unitAdjust = numberOf('OOMScoreAdjust')
  const settings = [
    { taker: 'others', adjust: 0, maxMb: unitMb },
    { taker: 'others', adjust: unitAdjust, maxMb: unitMb },
    { taker: 'daemon', adjust: unitAdjust, maxMb: null },
    { taker: 'daemon', adjust: unitAdjust, maxMb: unitMb },
  ] as const
  const rows: object[] = []
  const problems: string[] = []
  for (const setting of Array.from({ length: ROUNDS }, () => settings).flat()) {
    const { taker, adjust, maxMb } = setting
    const victims = await findVictims({ ...setting, machineMb: SMALL_MB }, parts, scratch)
    rows.push({
      'takes all': taker === 'daemon' ? 'the daemon' : `${OTHERS.others} others`,
      OOMScoreAdjust: adjust,
      'MemoryMax, MB': maxMb ?? 'none',
      'others ended': victims.others,
      'daemon ended': victims.daemon,
      s: round(victims.seconds),
    })
    const asTheUnit = adjust === unitAdjust && maxMb === unitMb
    if (asTheUnit && taker === 'others' && victims.daemon)
      problems.push('the daemon was ended, and others took the memory')
    if (asTheUnit && taker === 'daemon' && (victims.others > 0 || !victims.daemon))
      problems.push(`a leak of the daemon ended ${victims.others} others`)
  }
  say(`${SMALL_MB} MB without swap, a daemon, and processes that take ${TAKER_MB} MB each`)
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
