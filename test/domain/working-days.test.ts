import { expect, test } from 'vitest'
import { isWorkingDate, legalDeadlineOf } from '../../src/domain/working-days.ts'

const deadline = (occurredAt: string) => new Date(legalDeadlineOf(Date.parse(occurredAt))).toISOString()
const works = (date: string) => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return isWorkingDate(year, month, day)
}

/** Easter Sundays from the tables of the Church, with Corpus Christi 60 days later. */
test.each([
  [2019, '04-21', '06-20'],
  [2024, '03-31', '05-30'],
  [2025, '04-20', '06-19'],
  [2026, '04-05', '06-04'],
  [2027, '03-28', '05-27'],
  [2028, '04-16', '06-15'],
  [2038, '04-25', '06-24'],
  [2049, '04-18', '06-17'],
  [2285, '03-22', '05-21'],
])('in %d the Monday after Easter on %s and Corpus Christi on %s are days off', (year, easter, corpusChristi) => {
  const at = (monthDay: string, days: number) =>
    new Date(Date.parse(`${year}-${monthDay}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  expect(works(at(easter, 0))).toBe(false)
  expect(works(at(easter, 1))).toBe(false)
  expect(works(at(easter, 2))).toBe(true)
  expect(works(at(corpusChristi, 0))).toBe(false)
  const before = at(corpusChristi, -1)
  expect(works(before)).toBe(!before.endsWith('-05-30') && !before.endsWith('-06-22'))
})

test('the days off of 2026 to 2028 that fall on weekdays are those of the calendar', () => {
  const weekdaysOff = (year: number) => {
    const off: string[] = []
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000) {
      const date = new Date(at).toISOString().slice(0, 10)
      const weekend = [0, 6].includes(new Date(at).getUTCDay())
      if (weekend) expect(works(date)).toBe(false)
      else if (!works(date)) off.push(date.slice(5))
    }
    return off
  }
  expect(weekdaysOff(2026)).toEqual(
    '01-01 01-06 04-06 05-01 06-04 06-22 08-05 11-18 12-25'.split(' '), // the others fall on weekends
  )
  expect(weekdaysOff(2027)).toEqual('01-01 01-06 03-29 05-27 06-22 08-05 11-01 11-18'.split(' '))
  expect(weekdaysOff(2028)).toEqual('01-06 04-17 05-01 05-30 06-15 06-22 08-15 11-01 12-25 12-26'.split(' '))
})

test.each([
  ['an ordinary Tuesday', '2026-02-10T10:00:00+01:00', '2026-02-12T23:00:00.000Z'],
  ['a Thursday: Friday and Monday count', '2026-02-12T10:00:00+01:00', '2026-02-16T23:00:00.000Z'],
  ['a Friday: Monday and Tuesday count', '2026-02-13T10:00:00+01:00', '2026-02-17T23:00:00.000Z'],
  ['a Saturday and a Sunday alike', '2026-02-15T10:00:00+01:00', '2026-02-17T23:00:00.000Z'],
  ['Maundy Thursday: Good Friday is a working day', '2026-04-02T10:00:00+02:00', '2026-04-07T22:00:00.000Z'],
  ['Christmas Eve before a weekend', '2026-12-24T10:00:00+01:00', '2026-12-29T23:00:00.000Z'],
  ['New Year: 1 and 6 January are off', '2026-12-31T12:00:00+01:00', '2027-01-05T23:00:00.000Z'],
  ['Corpus Christi on a Thursday', '2026-06-03T12:00:00+02:00', '2026-06-08T22:00:00.000Z'],
])('the legal deadline after %s', (_what, occurredAt, expected) => {
  expect(deadline(occurredAt)).toBe(expected)
})

test('the day of a sale is the one in Zagreb, in winter and in summer', () => {
  expect(deadline('2026-02-10T22:59:59Z')).toBe('2026-02-12T23:00:00.000Z')
  expect(deadline('2026-02-10T23:00:00Z')).toBe('2026-02-13T23:00:00.000Z')
  expect(deadline('2026-07-14T21:59:59Z')).toBe('2026-07-16T22:00:00.000Z')
  expect(deadline('2026-07-14T22:00:00Z')).toBe('2026-07-17T22:00:00.000Z')
})

test('the deadline ends at local midnight when the clocks change in between', () => {
  // Summer time begins on 29 March 2026 and ends on 25 October.
  expect(deadline('2026-03-27T12:00:00+01:00')).toBe('2026-03-31T22:00:00.000Z')
  expect(deadline('2026-10-23T12:00:00+02:00')).toBe('2026-10-27T23:00:00.000Z')
})

test('a later sale never has an earlier deadline, so that the oldest one has the nearest', () => {
  let previous = 0
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 1, 1); at += 3 * 3_600_000) {
    const deadline = legalDeadlineOf(at)
    expect(deadline).toBeGreaterThanOrEqual(previous)
    expect(deadline - at).toBeGreaterThan(2 * 86_400_000 - 3_600_000)
    previous = deadline
  }
})
