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
