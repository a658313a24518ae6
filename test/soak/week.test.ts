import { expect, test } from 'vitest'
import { createChance } from '../../scripts/chaos/chance.ts'
import { readOptions, type SoakOptions } from '../../scripts/soak/options.ts'
import { weekOf } from '../../scripts/soak/week.ts'
import { formatZagreb } from '../../src/domain/zagreb.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const optionsOf = (...args: string[]) => readOptions(['--seed', '1', ...args]) as SoakOptions
const weekWith = (...args: string[]) => weekOf(optionsOf(...args), createChance(1), NOW)
const shown = (at: number) => formatZagreb(at, 'dd.MM.yyyy HH:mm:ss')

test('a week has the change to summer time in the middle, and is an hour shorter', () => {
  const week = weekWith()
  expect(shown(week.start)).toBe('25.03.2027 00:00:00')
  expect(shown(week.end)).toBe('01.04.2027 00:00:00')
  expect(week.end - week.start).toBe((7 * 24 - 1) * 3_600_000)
  expect(shown(week.at(3, 12))).toBe('28.03.2027 12:00:00')
})

test('a week in autumn is an hour longer, and an hour that is there twice is one of the two', () => {
  const week = weekWith('--dst', 'autumn', '--days', '3')
  expect(week.end - week.start).toBe((3 * 24 + 1) * 3_600_000)
  expect(shown(week.at(1, 2.5))).toBe('31.10.2027 02:30:00')
})

test('each day has as many sales as were asked for, in order, while the machines are open', () => {
  const week = weekWith('--sales', '50')
  for (const day of [0, 3, 6]) {
    const sales = week.sales(day)
    expect(sales).toHaveLength(50)
    expect(sales).toEqual(sales.toSorted((one, other) => one - other))
    expect(sales[0]).toBeGreaterThanOrEqual(week.at(day, 6.5))
    expect(sales.at(-1)).toBeLessThanOrEqual(week.at(day, 22.5))
  }
})

test('a run starts no earlier than it may', () => {
  const later = Date.parse('2027-03-28T12:00:00Z')
  expect(shown(weekOf(optionsOf(), createChance(1), later).start)).toBe('23.03.2028 00:00:00')
})

test.each([
  [['--dst', 'summer'], '--dst summer: one of spring, autumn'],
  [['--days', '0'], '--days 0: give a whole number'],
  [['--sale', '3'], "Unknown option '--sale'"],
])('%j is wrong use', (args, reason) => {
  expect(() => readOptions(args)).toThrow(reason)
})
