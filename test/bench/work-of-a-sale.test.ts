import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { benchFigures } from '../support/bench-figures.ts'

/** How much more bytes of the log than the newest row says still count as the same: what repeats differ by, several times over. */
const TOLERANCE = 1.15

/** What the daemon does beside sales falls into the run, on a busy machine up to 0.7 statements a sale. */
const BESIDE = 0.9

const DOCUMENT = join(import.meta.dirname, '../../docs/performance.md')
const TITLE =
  '| date | build | what changed | allocated, KB | statements | transactions | log, KB | moved to the old generation, KB |'

let figures: Awaited<ReturnType<typeof benchFigures>>

beforeAll(async () => {
  figures = await benchFigures(['--only', 'work', '--runs', '1'])
}, 600_000)

/** The newest row of the table in docs/performance.md: the one place that says what a sale may ask for. */
function newestRow() {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n')
  const rows = lines.slice(lines.indexOf(TITLE) + 2)
  const cells = rows[rows.findIndex((line) => !line.startsWith('|')) - 1]?.split('|').map((cell) => cell.trim()) ?? []
  const figure = (column: number) => Number(cells[column] ?? Number.NaN)
  return { statements: figure(5), transactions: figure(6), log: figure(7) }
}

test('a sale asks SQLite for no more statements than docs/performance.md says, and has none compiled', () => {
  const statements = figures('statements per sale')
  expect(statements).toBeGreaterThan(5)
  expect(statements).toBeLessThan(newestRow().statements + BESIDE)
  expect(figures('statements compiled per sale')).toBeLessThan(BESIDE)
})

test('a sale takes no more transactions, and writes no more to the log, than docs/performance.md says', () => {
  expect(figures('transactions per sale')).toBeGreaterThanOrEqual(1)
  expect(figures('transactions per sale')).toBeLessThan(newestRow().transactions + BESIDE)
  expect(figures('written to the log per sale')).toBeGreaterThan(10)
  expect(figures('written to the log per sale')).toBeLessThan(newestRow().log * TOLERANCE)
})

test('a sale is signed twice, its answer is checked once, and its one message goes over a connection that stands', () => {
  expect(figures('signatures per sale')).toBeCloseTo(2, 1)
  expect(figures('checks per sale')).toBeCloseTo(1, 1)
  expect(figures('messages per sale')).toBe(1)
  expect(figures('connections to the authority per 100 sales')).toBeLessThan(3)
})
