import { beforeAll, expect, test } from 'vitest'
import { RULES } from '../../src/firmware-trial/rules/catalogue.ts'
import { SCENARIOS } from '../../src/firmware-trial/scenarios/list.ts'
import { DEFECTS, type Defect } from './support/defects.ts'
import { buildClient, firmwareTrial, tryClient } from './support/trial.ts'

let client: string
beforeAll(async () => {
  client = await buildClient()
})

const rowsOf = (text: string) => text.split('\n').map((line) => line.split(/(?<=^\S+) +/))

/** Scenarios of a few seconds. */
const QUICK = ['plain', 'answer-lost', 'unknown-device', 'no-jir', 'more-fields', 'pieces', 'certificate-renewed']

test('firmware that does all of it right passes, and the report says what it sent', async () => {
  const { code, report } = await tryClient(client, { scenarios: QUICK })
  expect(report.scenarios.flatMap(({ findings }) => findings)).toEqual([])
  expect(code).toBe(0)
  expect(report.scenarios.map(({ name }) => name).sort()).toEqual([...QUICK].sort())
  const lost = report.scenarios.find(({ name }) => name === 'answer-lost')?.requests ?? []
  expect(lost.map(({ status }) => status)).toEqual([null, 200])
  expect(new Set(lost.map(({ idempotency_key }) => idempotency_key)).size).toBe(1)
})

/** One of each kind; `defects.test.ts` has all. */
const FEW: Defect[] = ['new-key-per-try', 'float-total', 'retries-refusal', 'other-bytes-found-by-search']

test.each(FEW)('the mistake %s is named by its rule, with the request ids, and the exit code is 1', async (defect) => {
  const [scenario, rules] = DEFECTS[defect]
  const { code, report, broken } = await tryClient(client, { defect, scenarios: [scenario] })
  expect(broken).toEqual(rules)
  expect(code).toBe(1)
  const [finding] = report.scenarios[0]?.findings ?? []
  const sent = report.scenarios[0]?.requests.map(({ request_id }) => request_id)
  expect(finding?.request_ids.length).toBeGreaterThan(0)
  expect(sent).toEqual(expect.arrayContaining(finding?.request_ids ?? []))
})

test('wrong use ends with 2 and says what to type', async () => {
  const nothing = await firmwareTrial()
  expect(nothing).toMatchObject({ code: 2, out: '' })
  expect(nothing.err).toContain('fisk firmware-trial -- ./client')
  const unknown = await firmwareTrial('--scenario', 'plane', '--', 'true')
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain('fisk firmware-trial --list')
})

test('--list says every scenario and what happens in it, then every rule and where it is from', async () => {
  const { code, out } = await firmwareTrial('--list')
  expect(code).toBe(0)
  const [scenarios, , rules] = out.trimEnd().split('\n\n').map(rowsOf)
  expect(scenarios).toEqual(SCENARIOS.map(({ name, title }) => [name, title]))
  const wanted = Object.entries(RULES).map(([name, { expected, section }]) => [name, `${expected} (#${section})`])
  expect(rules).toEqual(wanted)
})

test('a command that does not exist ends the trial with its name', async () => {
  const { code, err } = await firmwareTrial('--scenario', 'plain', '--', '/nowhere/client')
  expect(code).toBe(2)
  expect(err).toContain('/nowhere/client')
})
