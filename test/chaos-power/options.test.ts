import { expect, test } from 'vitest'
import { UsageError } from '../../scripts/chaos/arguments.ts'
import { readOptions } from '../../scripts/chaos-power/options.ts'

const cards = (...args: string[]) => readOptions(args)?.cards.map(({ name }) => name)

test('without options all cases run long, on ext4', () => {
  expect(readOptions([])).toMatchObject({ cases: ['cuts', 'flush', 'cards'], isNamed: false, cuts: 300, fs: 'ext4' })
  expect(readOptions([])).toMatchObject({ mount: '', at: null, sales: 200, torn: 200, sabotage: null })
  expect(readOptions([])?.marks).toBe(Number.POSITIVE_INFINITY)
  expect(readOptions(['--help'])).toBeNull()
})

test('the short runs are small, and what is said goes before', () => {
  expect(readOptions(['--short', '--fs', 'f2fs'])).toMatchObject({ cuts: 4, fs: 'f2fs' })
  expect(readOptions(['--short', '--torn', '5'])).toMatchObject({ sales: 40, marks: 60, torn: 5 })
})

test('all bad cards are tried, or one, or the two of the short form', () => {
  expect(cards()).toHaveLength(8)
  expect(cards('--case', 'cards', '--card', 'slow')).toEqual(['slow'])
  expect(cards('--short')).toEqual(['flush', 'lies-with-server'])
})

test('a deliberate fault is looked for in the cases that can tell it', () => {
  expect(readOptions(['--sabotage', 'synchronous-normal'])?.cases).toEqual(['cuts', 'flush'])
})

test.each([
  [['--case', 'night'], '--case night: one of cuts, flush, cards'],
  [['--fs', 'btrfs'], '--fs btrfs: one of ext4, f2fs'],
  [['--at', 'night'], '--at night: one of random, commit'],
  [['--card', 'golden'], '--card golden: one of read, write'],
  [['--sabotage', 'x'], '--sabotage x: one of answer-before-commit, synchronous-normal'],
  [['--sabotage', 'answer-before-commit', '--case', 'cards'], '--sabotage: not with the case cards'],
  [['--sales', '0'], '--sales 0: give a whole number'],
])('%j is wrong use', (args, reason) => {
  expect(() => readOptions(args)).toThrow(UsageError)
  expect(() => readOptions(args)).toThrow(reason)
})
