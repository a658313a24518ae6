import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'
import { testSample } from './support/sample-tests.ts'

testSample('shell')

test.skipIf(skipWithout('shellcheck'))('shellcheck has nothing to say about it', () => {
  expect(execFileSync('shellcheck', [inProject('examples/shell/vending.sh')], { encoding: 'utf8' })).toBe('')
})
