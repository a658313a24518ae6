import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'
import { testSample } from './support/sample-tests.ts'

testSample('python')

test.skipIf(skipWithout('mypy'))('its types are right, as strictly as mypy can see', () => {
  const args = ['--strict', '--cache-dir=/dev/null', inProject('examples/python/vending.py')]
  expect(execFileSync('mypy', args, { encoding: 'utf8' })).toContain('no issues found')
})
