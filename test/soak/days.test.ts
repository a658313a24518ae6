import { expect, test } from 'vitest'
import { type Day, growing } from '../../scripts/soak/days.ts'
import type { Reading } from '../../scripts/soak/readings.ts'

const READING: Reading = { at: 0, residentMb: 100, proportionalMb: 60, heapMb: 25, openFiles: 34, handles: 7, logMb: 4 }

const dayWith = (change: Partial<Reading> = {}, more: Partial<Day> = {}): Day => ({
  date: '2028-03-26',
  sales: 600,
  messages: 600,
  receipts: 600,
  logBytes: 600_000,
  readings: [READING, { ...READING, ...change }, { ...READING, ...change }],
  stock: { databaseBytes: 1e7, files: 16, backups: 3 },
  grown: 600 * 7000,
  realSeconds: 60,
  ...more,
})

test('a day like the first one has grown in nothing', () => {
  expect(growing(dayWith(), dayWith())).toEqual([])
  expect(growing(dayWith(), dayWith({ residentMb: 113, openFiles: 36 }))).toEqual([])
})

test.each([
  ['resident memory', dayWith({ residentMb: 115 })],
  ['its own memory', dayWith({ proportionalMb: 71 })],
  ['heap', dayWith({ heapMb: 31 })],
  ['open files', dayWith({ openFiles: 37 })],
  ['handles', dayWith({ handles: 10 })],
  ['log of the database', dayWith({ logMb: 7 })],
  ['growth for a sale', dayWith({}, { grown: 600 * 8500 })],
  ['log lines for a sale', dayWith({}, { logBytes: 900_600 })],
  ['files', dayWith({}, { stock: { databaseBytes: 1e7, files: 19, backups: 3 } })],
])('%s that grew is told', (what, last) => {
  const [found, ...others] = growing(dayWith(), last)
  expect(found).toContain(`${what}: `)
  expect(others).toEqual([])
})

test('a figure that is missing does not pass for a small one', () => {
  expect(growing(dayWith(), dayWith({ heapMb: Number.NaN }))).toHaveLength(1)
})
