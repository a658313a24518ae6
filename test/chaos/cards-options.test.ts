import { expect, test } from 'vitest'
import { UsageError } from '../../scripts/chaos/arguments.ts'
import { readOptions } from '../../scripts/chaos-cards/options.ts'

const names = (...args: string[]) => readOptions(args)?.cases.map(({ name }) => name)

test('all bad cards are tried, or one, or the two of the short form', () => {
  expect(names()).toHaveLength(8)
  expect(names('--case', 'slow')).toEqual(['slow'])
  expect(names('--short')).toEqual(['flush', 'lies-with-server'])
  expect(readOptions(['--help'])).toBeNull()
  expect(() => readOptions(['--case', 'golden'])).toThrow(UsageError)
})
