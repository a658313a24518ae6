import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToSecond, formatInstant, instantFault, parseInstant } from '../../src/domain/instant.ts'
import { formatZagreb, zagrebClock, zagrebYear } from '../../src/domain/zagreb.ts'

const at = (text: string) => parseInstant(text) ?? Number.NaN
const local = (text: string) => formatZagreb(at(text), 'dd.MM.yyyy HH:mm:ss')

test('the same moment in two offsets is one moment', () => {
  expect(at('2026-07-01T12:00:00+02:00')).toBe(at('2026-07-01T10:00:00Z'))
  expect(at('2026-07-01T12:00:00.5-05:30')).toBe(Date.UTC(2026, 6, 1, 17, 30, 0, 500))
})

test.each([
  '2026-07-01T12:00:00',
  '2026-07-01T12:00Z',
  '2026-07-01 12:00:00Z',
  '2026-07-01T12:00:00z',
  '2026-07-01T12:00:00.1234567890Z',
  '2026-07-01T12:00:00.Z',
  '2026-07-01T12:00:00+0200',
  '2026-07-01T12:00:00+2',
  '2026-07-01T24:00:00Z',
  '2026-07-01T12:60:00Z',
  '2026-06-30T23:59:60Z',
  '2026-02-30T12:00:00Z',
  '2025-02-29T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-00-10T12:00:00Z',
  '2026-07-01T12:00:00+24:00',
  '2026-07-01T12:00:00Z\n',
  1782900000000,
  null,
])('%j is not a time', (value) => {
  expect(parseInstant(value)).toBeUndefined()
})

test('up to nine decimals are taken, and cut to the millisecond', () => {
  for (const decimals of ['123', '1239', '123999', '1239999', '123456789', '123999999'])
    expect(at(`2026-07-01T12:00:00.${decimals}Z`), decimals).toBe(Date.UTC(2026, 6, 1, 12, 0, 0, 123))
  expect(at('1969-12-31T23:59:59.999999999Z')).toBe(-1)
})

test.each([
  ['01.07.2026 12:00', 'must begin with a date'],
  ['2026-07-01 12:00:00Z', 'a capital T'],
  ['2026-07-01t12:00:00Z', 'a capital T'],
  ['2026-07-01T12:00Z', 'hours, minutes and seconds'],
  ['2026-07-01T12:00:00,250Z', 'a dot'],
  ['2026-07-01T12:00:00.Z', 'one to nine decimals'],
  ['2026-07-01T12:00:00.1234567890Z', 'one to nine decimals'],
  ['2026-07-01T12:00:00', 'the offset is missing'],
  ['2026-07-01T12:00:00.123456', 'the offset is missing'],
  ['2026-07-01T12:00:00+0200', 'Z, +hh:mm or -hh:mm'],
  ['2026-07-01T12:00:00z', 'Z, +hh:mm or -hh:mm'],
  ['2026-07-01T12:00:00.1+2', 'Z, +hh:mm or -hh:mm'],
  ['2026-06-30T23:59:60Z', 'no such day, time of day or offset'],
  ['2026-02-30T12:00:00Z', 'no such day, time of day or offset'],
])('what is wrong with %s is said', (text, said) => {
  expect(parseInstant(text)).toBeUndefined()
  expect(instantFault(text)).toContain(said)
})

test('29 February exists in a leap year', () => {
  expect(formatInstant(at('2028-02-29T00:00:00Z'))).toBe('2028-02-29T00:00:00.000Z')
})

test('what is no moment has no time in Zagreb', () => {
  expect(() => formatZagreb(Number.NaN, 'dd.MM.yyyy HH:mm:ss')).toThrow(RangeError)
})

test('winter and summer time of Zagreb', () => {
  expect(local('2026-01-15T12:00:00Z')).toBe('15.01.2026 13:00:00')
  expect(local('2026-07-15T12:00:00Z')).toBe('15.07.2026 14:00:00')
})

test('the hour that March skips', () => {
  expect(local('2026-03-29T00:59:59Z')).toBe('29.03.2026 01:59:59')
  expect(local('2026-03-29T01:00:00Z')).toBe('29.03.2026 03:00:00')
})

test('the hour that October repeats reads the same for two moments an hour apart', () => {
  expect(local('2026-10-25T02:30:00+02:00')).toBe('25.10.2026 02:30:00')
  expect(local('2026-10-25T02:30:00+01:00')).toBe('25.10.2026 02:30:00')
  expect(at('2026-10-25T02:30:00+01:00') - at('2026-10-25T02:30:00+02:00')).toBe(3_600_000)
  expect(local('2026-10-25T00:59:59Z')).toBe('25.10.2026 02:59:59')
  expect(local('2026-10-25T01:00:00Z')).toBe('25.10.2026 02:00:00')
})

test('midnight is hour 00, not 24', () => {
  expect(local('2026-07-14T22:00:00Z')).toBe('15.07.2026 00:00:00')
})

test('every document has its own form of the same moment', () => {
  const moment = at('2026-07-15T12:03:04.999Z')
  expect(formatZagreb(moment, 'dd.MM.yyyy HH:mm:ss')).toBe('15.07.2026 14:03:04')
  expect(formatZagreb(moment, 'dd.MM.yyyyTHH:mm:ss')).toBe('15.07.2026T14:03:04')
  expect(formatZagreb(moment, 'yyyyMMdd_HHmm')).toBe('20260715_1403')
  expect(cutToSecond(moment)).toBe(at('2026-07-15T12:03:04Z'))
})

test('the year of a sale is the year in Zagreb, not in Greenwich', () => {
  expect(zagrebYear(at('2026-12-31T22:59:59Z'))).toBe(2026)
  expect(zagrebYear(at('2026-12-31T23:00:00Z'))).toBe(2027)
})

test('the local time of any second is the one that Intl tells for it, around changes of the clock, too', () => {
  const intl = new Intl.DateTimeFormat('hr-HR', {
    ...{ timeZone: 'Europe/Zagreb', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  })
  const told = (moment: number) => {
    const part = Object.fromEntries(intl.formatToParts(moment).map(({ type, value }) => [type, value]))
    return `${part.day}.${part.month}.${part.year} ${part.hour}:${part.minute}:${part.second}`
  }
  const seconds = (from: string, to: string) =>
    fc.integer({ min: at(from) / 1000, max: at(to) / 1000 }).map((second) => second * 1000)
  const moments = fc.oneof(
    seconds('1997-01-01T00:00:00Z', '2099-12-31T23:59:59Z'),
    seconds('2026-03-28T22:00:00Z', '2026-03-29T04:00:00Z'),
    seconds('2026-10-24T22:00:00Z', '2026-10-25T04:00:00Z'),
  )
  fc.assert(
    fc.property(fc.array(moments, { minLength: 1, maxLength: 5 }), (all) => {
      for (const moment of all) expect(formatZagreb(moment, 'dd.MM.yyyy HH:mm:ss')).toBe(told(moment))
    }),
    { numRuns: 500 },
  )
})

test('the wall clock of Zagreb is that of the time zone database from 1997 to 2040', () => {
  const judge = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Zagreb', dateStyle: 'short', timeStyle: 'medium' })
  const wrong: string[] = []
  for (let moment = Date.UTC(1997, 0, 1); moment < Date.UTC(2041, 0, 1); moment += 1_800_000) {
    const shown = zagrebClock(moment).toISOString().slice(0, 19).replace('T', ' ')
    // Nothing changes far from a last Sunday: there a look at each day is enough.
    const isNearChange = [2, 9].includes(new Date(moment).getUTCMonth()) && new Date(moment).getUTCDate() >= 24
    if (!isNearChange && moment % 86_400_000 !== 0) continue
    if (judge.format(moment) !== shown) wrong.push(`${shown} instead of ${judge.format(moment)}`)
  }
  expect(wrong).toEqual([])
})
