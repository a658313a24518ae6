import { startOfDate } from '../../src/domain/working-days.ts'
import { momentInZagreb, zagrebClock } from '../../src/domain/zagreb.ts'
import type { Chance } from '../chaos/chance.ts'
import type { SoakOptions } from './options.ts'

/** The days of a run, in Zagreb. */
export interface Week {
  /** Midnight at the start of the first day, and at the end of the last. */
  start: number
  end: number
  /** When it is so late on a day, such as `at(0, 6.5)`: half past six on the first day. */
  at(day: number, hour: number): number
  /** The moments of the sales of a day, in order. */
  sales(day: number): number[]
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MARCH = 3
const OCTOBER = 10

/** The machines are sold from between these hours. */
const OPENS = 6.5
const CLOSES = 22.5

/**
 * Days around a change of DST that is far enough ahead: the shop is set up a year before them, and fiskd takes no clock
 * for right that shows a time before its build.
 */
export function weekOf({ days, sales, dst }: SoakOptions, chance: Chance, notBefore: number): Week {
  const month = dst === 'spring' ? MARCH : OCTOBER
  const change = changeAfter(notBefore, month)
  const dateOf = (day: number): [number, number, number] => [
    change.getUTCFullYear(),
    change.getUTCMonth() + 1,
    change.getUTCDate() + day - Math.floor(days / 2),
  ]
  const midnight = (day: number) => startOfDate(...dateOf(day))
  const at = (day: number, hour: number) => {
    const shown = zagrebClock(midnight(day)).getTime() + Math.round(hour * HOUR_MS)
    // In the hour that March skips, and that October has twice, by the time that has passed.
    return momentInZagreb(shown) ?? midnight(day) + hour * HOUR_MS
  }
  const counter = (day: number) =>
    Array.from({ length: sales }, () => at(day, chance.between(OPENS, CLOSES))).sort((one, other) => one - other)
  return { start: midnight(0), end: midnight(days), at, sales: counter }
}

/** The day, in UTC, of the last Sunday of that month: the first one after a moment. */
function changeAfter(moment: number, month: number): Date {
  for (let year = new Date(moment).getUTCFullYear(); ; year++) {
    const last = new Date(Date.UTC(year, month, 0))
    const change = new Date(last.getTime() - last.getUTCDay() * DAY_MS)
    if (change.getTime() > moment) return change
  }
}
