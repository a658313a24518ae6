import { type EpochMs, HOUR_MS } from '../../domain/instant.ts'
import { isHolidayDate } from '../../domain/working-days.ts'
import { zagrebClock } from '../../domain/zagreb.ts'

const HOURS_OF_WEEK = 168
const WEEKS = 6
/** What a machine usually sells is seen in so much time before its last sale. */
export const RHYTHM_MS = WEEKS * HOURS_OF_WEEK * HOUR_MS

/** With fewer sales nothing can be said of a machine's rhythm. */
const FEWEST_SALES = 20
/** Of a hundred months of a machine with its very rhythm, one has a false alarm. */
const MONTHS_BETWEEN_FALSE_ALARMS = 100
const DAYS_OF_MONTH = 30
/** Real machines have pauses that their weekly rhythm does not tell, so one has to be longer than those before. */
const LONGER_THAN_BEFORE = 1.25
/** Silence that is not unusual after so many weeks never becomes so. */
const LONGEST_WEEKS = 26

/** An hour since 1970 and how much was sold in it. */
export interface HourOfSales {
  hour: number
  sales: number
}

/** From when on the silence of a machine is unusual, and what is usual. */
export interface UnusualSilence {
  since: EpochMs
  salesPerWeek: number
  /** The longest pause before, in whole hours. */
  longestPauseHours: number
}

/** The hour of the week in Zagreb, from 0; null on public holidays, of which nobody knows what is usual. */
export type HourOfWeek = (hour: number) => number | null

/** Remembers the hours that were asked for: thousands of machines ask for the same ones. */
export function createHoursOfWeek(): HourOfWeek {
  const known = new Map<number, number | null>()
  return (hour) => {
    const before = known.get(hour)
    if (before !== undefined) return before
    const wall = zagrebClock(hour * HOUR_MS)
    const isHoliday = isHolidayDate(wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate())
    const found = isHoliday ? null : wall.getUTCDay() * 24 + wall.getUTCHours()
    if (known.size > MOST_KNOWN) known.clear()
    known.set(hour, found)
    return found
  }
}
/** Some years. */
const MOST_KNOWN = 50_000

/**
 * When a machine that sells nothing more after its last sale has been silent for unusually long, judged by its own
 * rhythm; null when that cannot be said.
 *
 * Sales of an hour of the week are taken as Poisson with an unknown rate: after `c` sales in `W` such hours, the chance
 * of none in the next one is (W / (W + 1)) ^ c. The evidence of a silence is the sum of the negative logarithms, so
 * hours in which it never sells count nothing. Whole hours without a sale are counted.
 * @param sold the hours with sales of the six weeks before the last sale, in order
 */
export function unusualSilence(sold: readonly HourOfSales[], hourOfWeek: HourOfWeek): UnusualSilence | null {
  const total = sold.reduce((sum, { sales }) => sum + sales, 0)
  const [first, last] = [sold[0]?.hour, sold.at(-1)?.hour]
  if (first === undefined || last === undefined || total < FEWEST_SALES) return null
  const weeks = Math.min(WEEKS, Math.ceil((last + 1 - first) / HOURS_OF_WEEK))
  const evidenceOf = evidenceByHour(sold, hourOfWeek, weeks)
  const [, secondLargest] = largestGaps(sold, evidenceOf)
  const salesPerWeek = total / weeks
  const monthly = (salesPerWeek / 7) * DAYS_OF_MONTH
  const enough = Math.max(Math.log(MONTHS_BETWEEN_FALSE_ALARMS * monthly), LONGER_THAN_BEFORE * secondLargest)
  let evidence = 0
  for (let hour = last + 1; hour < last + LONGEST_WEEKS * HOURS_OF_WEEK; hour++) {
    evidence += evidenceOf(hour)
    if (evidence > enough) {
      const longestPauseHours = sold.reduce(
        (most, { hour: at }, i) => Math.max(most, at - (sold[i - 1]?.hour ?? at)),
        0,
      )
      return { since: (hour + 1) * HOUR_MS, salesPerWeek: Math.round(salesPerWeek), longestPauseHours }
    }
  }
  return null
}

function evidenceByHour(sold: readonly HourOfSales[], hourOfWeek: HourOfWeek, weeks: number) {
  const evidence = new Float64Array(HOURS_OF_WEEK)
  const ofSale = Math.log((weeks + 1) / weeks)
  for (const { hour, sales } of sold) {
    const hourIndex = hourOfWeek(hour)
    if (hourIndex !== null) evidence[hourIndex] = (evidence[hourIndex] ?? 0) + sales * ofSale
  }
  return (hour: number) => {
    const hourIndex = hourOfWeek(hour)
    return hourIndex === null ? 0 : (evidence[hourIndex] ?? 0)
  }
}

/** The evidence of the two pauses that have the most. */
function largestGaps(sold: readonly HourOfSales[], evidenceOf: (hour: number) => number): [number, number] {
  let [largest, second] = [0, 0]
  for (const [i, { hour: until }] of sold.entries()) {
    let evidence = 0
    for (let hour = (sold[i - 1]?.hour ?? until) + 1; hour < until; hour++) evidence += evidenceOf(hour)
    if (evidence > largest) [largest, second] = [evidence, largest]
    else if (evidence > second) second = evidence
  }
  return [largest, second]
}
