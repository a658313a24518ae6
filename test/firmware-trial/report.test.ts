import { expect, test } from 'vitest'
import type { Finding, ScenarioResult, TrialReport } from '../../src/contract/reports/firmware-trial.ts'
import type { Attempt, Evidence, Sale } from '../../src/firmware-trial/evidence.ts'
import { junitOf } from '../../src/firmware-trial/report/junit.ts'
import { resultText, verdictText } from '../../src/firmware-trial/report/text.ts'
import { judgeGoods } from '../../src/firmware-trial/rules/goods-rules.ts'
import { judgePatience } from '../../src/firmware-trial/rules/judge.ts'
import { adviceOn } from '../../src/firmware-trial/run-scenario.ts'

const request = (n: number, status: number | null = 500): ScenarioResult['requests'][number] => ({
  ...{ at_ms: n * 100, sale: '1', method: 'POST', path: '/v1/invoices', idempotency_key: 'k' },
  ...{ request_id: `r${n}`, status, note: '' },
})
const finding: Finding = {
  ...{ rule: 'patient', sale: '1', expected: 'It waits.', seen: 'It did not.', document: 'docs/firmware.md#time-outs' },
  ...{ chapter: 'Limits', request_ids: Array.from({ length: 366 }, (_, n) => `r${n}`) },
}
const failed: ScenarioResult = {
  ...{ name: 'no-jir', title: 'no JIR', passed: false, duration_ms: 10, findings: [finding], advice: [], log: [] },
  not_judged: null,
  requests: [...Array.from({ length: 366 }, (_, n) => request(n)), request(366, 200)],
}

test('requests that are alike are folded, and the report says how many it left out', () => {
  const text = resultText(failed)
  expect(text.match(/POST/g)).toHaveLength(4)
  expect(text).toMatch(/ r0\n.* r1\n +\.\.\. 363 more like these\n.* r365\n.* 200 {2}r366\n/)
  expect(text).toContain('Requests: r0, r1, r2, r3, r4 (the first 5 of 366)\n')
})

test('a few requests are all shown', () => {
  const text = resultText({ ...failed, requests: [0, 1, 2, 3].map((n) => request(n)) })
  expect(text.match(/POST/g)).toHaveLength(4)
  expect(text).not.toContain('more like these')
})

test('one scenario is told as one', () => {
  const report: TrialReport = {
    ...{ object: 'firmware_trial', passed: false, version: '1.0.0', started_at: '', duration_ms: 2000, command: [] },
    scenarios: [failed],
  }
  expect(verdictText(report)).toContain('failed 1 of 1 scenario in 2 s')
  expect(verdictText({ ...report, passed: true })).toContain('passed the scenario in 2 s')
})

test('a scenario whose rule could not be looked at has not passed', () => {
  const open = { ...failed, passed: true, not_judged: 'its clock does not follow faketime', findings: [] }
  expect(resultText(open)).toMatch(/^OPEN {2}no-jir .*\n {6}not judged: its clock does not follow faketime\n$/)
  const report: TrialReport = {
    ...{ object: 'firmware_trial', passed: true, version: '1.0.0', started_at: '', duration_ms: 2000, command: [] },
    scenarios: [{ ...open, not_judged: null }, open],
  }
  expect(verdictText(report)).toContain('passed 1 of 2 scenarios in 2 s.\nNot judged: no-jir\n')
  expect(junitOf(report)).toMatch(/skipped="1".*<skipped message="its clock does not follow faketime"\/>/s)
})

test('what the tax authority would find is advice after the verdict, each code once, and breaks no rule', () => {
  const stored = [
    { id: '1', number: 1, total: '2.50', findings: ['v166', 'v153'] },
    { id: '2', number: 2, total: '3.50', findings: ['v141', 'v166', 'v999'] },
  ]
  const advice = adviceOn(stored)
  expect(advice.map(({ code }) => code)).toEqual(['v141', 'v166'])
  expect(adviceOn([])).toEqual([])
  const passed = { ...failed, passed: true, findings: [], advice }
  const report: TrialReport = {
    ...{ object: 'firmware_trial', passed: true, version: '1.0.0', started_at: '', duration_ms: 2000, command: [] },
    scenarios: [passed, { ...passed, advice: advice.slice(1) }],
  }
  expect(resultText(passed)).toMatch(/^ok /)
  const text = verdictText(report)
  expect(text).toMatch(
    /passed all of 2 scenarios in 2 s\.\n\nAdvice: .*\n {2}v141 {2}.*\n {2}v166 {2}VAT bases.*\n {2}Read:/,
  )
  expect(verdictText({ ...report, scenarios: [failed] })).not.toContain('Advice')
})

const sale: Sale = { word: '1', total: '2.50', method: 'G', pressedAt: 0, life: 1 }

/** What is known of a sale that was given up after an answer with this status. */
function givenUpAfter(status: number | null): Evidence {
  const attempt: Attempt = {
    ...{ life: 1, at: 0, method: 'POST', path: '/v1/invoices', key: 'k', authorization: null, contentType: null },
    ...{ requestId: 'r', body: Buffer.alloc(0), json: {}, sale, shown: 'first', endedAt: 1, note: '' },
    answer: status === null ? null : { status, at: 1, retryAfterS: null, qrPayload: null, found: [] },
    end: status === null ? 'cut' : 'answered',
  }
  return {
    ...{
      startedAt: 0,
      deviceId: '',
      keys: [],
      dayLaterIn: null,
      sales: [sale],
      attempts: [attempt],
      endings: [],
      stored: [],
    },
    spoken: [{ kind: 'refused', word: '1', text: '', at: 2, life: 1 }],
    byHand: false,
  }
}

test.each([
  [429, 'only asks to wait'],
  [500, 'after 500: it may be stored'],
  [503, 'after 503: it may be stored'],
  [null, 'without an answer: it may be stored'],
  [200, 'it is valid'],
])('a sale that was given up after %s is told in words that are true of it', (status, words) => {
  const [breach, ...others] = judgeGoods(givenUpAfter(status))
  expect(others).toEqual([])
  expect(breach?.rule).toBe('does-not-give-up')
  expect(breach?.seen).toContain(words)
})

test('a connection that the trial ended is no lack of patience, one that the firmware ended is', () => {
  const evidence = givenUpAfter(null)
  expect(judgePatience(evidence)).toEqual([])
  for (const attempt of evidence.attempts) attempt.end = 'left'
  expect(judgePatience(evidence)).toMatchObject([{ rule: 'patient' }])
})
