import { expect, test } from 'vitest'
import { clockTime, croatianDate, dateAt, isoDate, readDate, startOfDay } from '../../src/domain/calendar-date.ts'

test.each([
  ['2026-03-29T00:59:59Z', '29.03.2026.', '01:59:59'],
  ['2026-03-29T01:00:00Z', '29.03.2026.', '03:00:00'],
  ['2026-10-25T00:59:59Z', '25.10.2026.', '02:59:59'],
  ['2026-10-25T01:00:00Z', '25.10.2026.', '02:00:00'],
  ['2025-12-31T23:30:00Z', '01.01.2026.', '00:30:00'],
  ['2026-07-01T22:00:00.999Z', '02.07.2026.', '00:00:00'],
])('at %s clocks in Zagreb show %s %s', (moment, date, time) => {
  expect([croatianDate(dateAt(Date.parse(moment))), clockTime(Date.parse(moment))]).toEqual([date, time])
})

test('a day begins at midnight in Zagreb, and one beyond the end of a month is one of the next', () => {
  expect(new Date(startOfDay({ year: 2026, month: 7, date: 1 })).toISOString()).toBe('2026-06-30T22:00:00.000Z')
  expect(isoDate(dateAt(startOfDay({ year: 2026, month: 12, date: 32 })))).toBe('2027-01-01')
  expect(isoDate(dateAt(startOfDay({ year: 2024, month: 3, date: 0 })))).toBe('2024-02-29')
})

test.each(['2026-02-28', '28.2.2026.', '28.02.2026', ' 28. 2. 2026. ', '28/02/2026'])('%j is a date', (text) => {
  expect(readDate(text)).toEqual({ year: 2026, month: 2, date: 28 })
})

test.each([
  '',
  '2026-02-30',
  '31.4.2026.',
  '1999-12-31',
  '2026-2-3',
  '26-02-28',
  '2026-02-28T00:00',
  '02/28/2026',
  'jučer',
])('%j is none', (text) => {
  expect(readDate(text)).toBeUndefined()
})
