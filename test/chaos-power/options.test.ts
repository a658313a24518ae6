import { expect, test } from 'vitest'
import { UsageError } from '../../scripts/chaos/arguments.ts'
import { readOptions as readFlush } from '../../scripts/chaos-flush/options.ts'
import { readOptions as readPower } from '../../scripts/chaos-power/options.ts'

test('without options both are the long run on amd64 and ext4', () => {
  expect(readPower([])).toMatchObject({ cuts: 300, arch: 'amd64', fs: 'ext4', mount: '', at: null, sabotage: null })
  expect(readFlush([])).toMatchObject({ sales: 200, marks: Number.POSITIVE_INFINITY, torn: 200, sabotage: null })
  expect(readPower(['--help'])).toBeNull()
  expect(readFlush(['--help'])).toBeNull()
})

test('the short runs are small, and what is said goes before', () => {
  expect(readPower(['--short', '--fs', 'f2fs'])).toMatchObject({ cuts: 4, fs: 'f2fs' })
  expect(readFlush(['--short', '--torn', '5'])).toMatchObject({ sales: 40, marks: 60, torn: 5 })
})

test.each([
  [readPower, ['--arch', 'armhf'], '--arch armhf: one of amd64, arm64, uml'],
  [readPower, ['--fs', 'btrfs'], '--fs btrfs: one of ext4, f2fs'],
  [readPower, ['--at', 'night'], '--at night: one of random, commit'],
  [readPower, ['--sabotage', 'x'], '--sabotage x: the faults there are: answer-before-commit, synchronous-normal'],
  [readFlush, ['--sales', '0'], '--sales 0: give a whole number'],
] as const)('%o of %j is wrong use', (read, args, reason) => {
  expect(() => read([...args])).toThrow(UsageError)
  expect(() => read([...args])).toThrow(reason)
})
