import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/domain/instant.ts'
import { zagrebClock } from '../../../src/domain/zagreb.ts'
import { createHoursOfWeek, type HourOfSales, RHYTHM_MS, unusualSilence } from '../../../src/fiscal/machines/silence.ts'

const START = Date.parse('2026-02-02T00:00:00Z') / HOUR_MS
const DAY = 24
const YEAR = 365 * DAY
const hourOfWeek = createHoursOfWeek()

/** Where a machine stands: when it is open, and how much it sells in an open hour. */
interface Place {
  seed: number
  opens: number
  closes: number
  isOpenOnWeekends: boolean
  perHour: number
}

const places = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
  opens: fc.integer({ min: 0, max: 9 }),
  closes: fc.integer({ min: 15, max: 24 }),
  isOpenOnWeekends: fc.boolean(),
  perHour: fc.double({ min: 0.08, max: 6, noNaN: true }),
})

function isOpen({ opens, closes, isOpenOnWeekends }: Place, hour: number): boolean {
  const wall = zagrebClock(hour * HOUR_MS)
  const isWeekend = wall.getUTCDay() === 0 || wall.getUTCDay() === 6
  return wall.getUTCHours() >= opens && wall.getUTCHours() < closes && (isOpenOnWeekends || !isWeekend)
}

/** Sales of a Poisson process in the open hours, the same for the same place. */
function salesOf(place: Place, hours: number): HourOfSales[] {
  let state = place.seed
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const poisson = () => {
    let sales = 0
    for (let left = Math.exp(-place.perHour), product = random(); product > left; product *= random()) sales++
    return sales
  }
  return Array.from({ length: hours }, (_, i) => START + i)
    .filter((hour) => isOpen(place, hour))
    .map((hour) => ({ hour, sales: poisson() }))
    .filter(({ sales }) => sales > 0)
}

/** What is known of a machine at one of its sales. */
const silenceAfter = (sold: readonly HourOfSales[], at: number) => {
  const last = sold[at]?.hour ?? 0
  return unusualSilence(
    sold.slice(0, at + 1).filter(({ hour }) => hour > last - RHYTHM_MS / HOUR_MS),
    hourOfWeek,
  )
}

test('machines that are closed at night and on weekends alarm less than once in five years', () => {
  let [alarms, hours] = [0, 0]
  fc.assert(
    fc.property(places, (place) => {
      const sold = salesOf(place, YEAR)
      hours += YEAR
      for (const [at, { hour }] of sold.entries()) {
        const next = sold[at + 1]?.hour
        // Only a pause of several hours can be unusual.
        if (next === undefined || next - hour < 3) continue
        const silence = silenceAfter(sold, at)
        if (silence !== null && silence.since <= next * HOUR_MS) alarms++
      }
    }),
    { numRuns: 40, seed: 1 },
  )
  expect(alarms / (hours / YEAR)).toBeLessThan(0.2)
})

test('a machine that stops is found before it has missed 40 sales, not counting holidays', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 8 * 7 * DAY, max: YEAR }), (place, stop) => {
      const sold = salesOf(place, stop)
      fc.pre(sold.filter(({ hour }) => hour > START + stop - RHYTHM_MS / HOUR_MS).length >= 40)
      const silence = silenceAfter(sold, sold.length - 1)
      const last = sold.at(-1)?.hour ?? 0
      const until = silence === null ? Number.POSITIVE_INFINITY : silence.since / HOUR_MS
      let missed = 0
      for (let hour = last + 1; hour < Math.min(until, last + YEAR); hour++) {
        if (isOpen(place, hour) && hourOfWeek(hour) !== null) missed += place.perHour
      }
      expect(missed).toBeLessThan(40)
    }),
    { numRuns: 200 },
  )
})
