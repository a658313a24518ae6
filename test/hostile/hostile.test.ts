import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedJson } from '../../scripts/hostile/changes.ts'
import { DEFECTS } from '../../scripts/hostile/options.ts'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'

const hostile = (...args: string[]) => runScript('hostile/main.ts', '--dist', DIST, '--shared-machine', ...args)

describe.concurrent('a gateway and a server that sell while changed messages come in at every border', () => {
  test('go on selling, and answer as their documents say', async ({ expect }) => {
    const { code, out } = await hostile('--messages', '600')
    expect(out).toContain('nothing from outside stopped a machine')
    expect(code).toBe(0)
  })

  test('are told apart from those with a defect of each kind', async ({ expect }) => {
    const { code, out } = await hostile('--messages', '1500', '--sabotage', 'all')
    expect(out).toContain(`each planted defect was caught: ${DEFECTS.join(', ')}`)
    expect(code).toBe(0)
  })
})

test('the same seed makes the same messages, whatever was made before', () => {
  const messages = () => fc.sample(changedJson({ items: [{ name: 'Kava' }] }), { numRuns: 2000, seed: 1 })
  expect(messages()).toEqual(messages())
})

test.each([
  ['--messages', '0'],
  ['--tokens', '0'],
  ['--sabotage', 'everything'],
])('%s %s is wrong use', async (...args) => {
  expect(await hostile(...args)).toMatchObject({ code: 2 })
})
