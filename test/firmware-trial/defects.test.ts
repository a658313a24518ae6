import { beforeAll, describe, expect, test } from 'vitest'
import { DEFECTS, type Defect } from './support/defects.ts'
import { buildClient, tryClient } from './support/trial.ts'

let client: string
beforeAll(async () => {
  client = await buildClient()
})

test('firmware that does all of it right passes every scenario in less than two minutes', async () => {
  const { code, report } = await tryClient(client, { patienceS: 20 })
  expect(report.scenarios.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })))).toEqual(
    [],
  )
  expect(code).toBe(0)
  expect(report.scenarios.length).toBeGreaterThan(20)
  expect(report.duration_ms).toBeLessThan(120_000)
})

/** All that a trial can see of the mistakes that firmware was once seen to pass with. */
const AT_ONCE = [
  'no-time-outs',
  'time-out-ends-with-headers',
  'follows-redirects',
  'no-name-check',
  'takes-new-key',
  'money-back-on-401',
  'money-back-on-409',
  'no-23-hour-rule',
] as const satisfies Defect[]

test('each of several mistakes at once is named by its rule', async () => {
  const scenarios = AT_ONCE.map((defect) => DEFECTS[defect][0])
  const { broken } = await tryClient(client, { defect: AT_ONCE.join(), scenarios })
  expect(broken).toEqual(expect.arrayContaining(AT_ONCE.flatMap((defect) => DEFECTS[defect][1])))
})

/** What a mistake does not touch must still be right. */
const BESIDE = ['plain', 'answer-lost']

describe.concurrent('planted mistakes', { timeout: 600_000 }, () => {
  test.each(Object.keys(DEFECTS) as Defect[])('%s is named by exactly the rule that it breaks', async (defect) => {
    const [scenario, rules] = DEFECTS[defect]
    const { code, report, broken } = await tryClient(client, { defect, scenarios: [...new Set([scenario, ...BESIDE])] })
    expect(broken, JSON.stringify(report.scenarios, null, 1)).toEqual(rules)
    expect(code).toBe(1)
    expect(report.scenarios.find(({ name }) => name === scenario)?.passed).toBe(false)
  })
})
