import { beforeAll, expect, test } from 'vitest'
import { MOST } from '../../scripts/bench/sections/work.ts'
import { benchFigures } from '../support/bench-figures.ts'

let figures: Awaited<ReturnType<typeof benchFigures>>

beforeAll(async () => {
  figures = await benchFigures(['--only', 'work', '--runs', '1'])
}, 600_000)

test('a sale asks SQLite for no more statements than it may, and has none compiled', () => {
  const statements = figures('statements per sale')
  expect(statements).toBeGreaterThan(5)
  expect(statements).toBeLessThan(MOST.statements)
  expect(figures('statements compiled per sale')).toBeLessThan(MOST.compiled)
})

test('a sale takes no more transactions, and writes no more to the log, than it may', () => {
  expect(figures('transactions per sale')).toBeGreaterThanOrEqual(1)
  expect(figures('transactions per sale')).toBeLessThan(MOST.transactions)
  expect(figures('written to the log per sale')).toBeGreaterThan(10)
  expect(figures('written to the log per sale')).toBeLessThan(MOST.logKb)
})

test('a sale writes to its files and sends over its connections no more than it may', () => {
  const handed = figures('written and sent per sale')
  expect(handed).toBeGreaterThan(figures('written to the log per sale'))
  expect(handed).toBeLessThan(MOST.handedKb)
})

test('a sale is signed twice, its answer is checked once, and its one message goes over a connection that stands', () => {
  expect(figures('signatures per sale')).toBeCloseTo(2, 1)
  expect(figures('checks per sale')).toBeCloseTo(1, 1)
  expect(figures('messages per sale')).toBe(1)
  expect(figures('connections to the authority per 100 sales')).toBeLessThan(3)
})
