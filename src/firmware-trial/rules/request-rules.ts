import { type Attempt, attemptsOf, type Evidence, type Sale } from '../evidence.ts'
import { type Breach, bySale, type Judge, secondsOf } from './breach.ts'
import type { RuleName } from './catalogue.ts'

/** How far a clock and a busy machine may be from the moment of the press. */
const MOMENT_TOLERANCE_MS = 5000
/** How long a program may take to start on a small or busy board before it reads its first press. */
const STARTS_WITHIN_MS = 10_000
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/

type Check = (attempt: Attempt, sale: Sale, evidence: Evidence) => string | null

const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))

const CHECKS: Partial<Record<RuleName, Check>> = {
  'sends-json': ({ json, contentType }) => {
    if (json === null) return 'The body was no JSON object.'
    return /^application\/json\b/i.test(contentType ?? '') ? null : `Content-Type was ${contentType ?? 'missing'}.`
  },
  authorization: ({ authorization }, _, { keys }) =>
    keys.some((key) => authorization === `Bearer ${key}`)
      ? null
      : `Authorization was ${authorization === null ? 'missing' : 'another one'}.`,
  'sends-key': ({ key }) => (key === null ? 'There was no Idempotency-Key.' : null),
  'money-string': ({ json }, { total }) =>
    json === null || json.total === total ? null : `total was ${shown(json.total)} instead of "${total}".`,
  'sale-fields': ({ json }, { method }, { deviceId }) => {
    if (json === null) return null
    if (String(json.device_id).toLowerCase() !== deviceId) return `device_id was ${shown(json.device_id)}.`
    return json.payment_method === method ? null : `payment_method was ${shown(json.payment_method)}, not "${method}".`
  },
}

/** What each request has to be, whatever became of the others. Said once for each sale. */
export const judgeRequests: Judge = bySale((evidence, sale) => {
  const attempts = attemptsOf(evidence, sale)
  return (Object.entries(CHECKS) as [RuleName, Check][]).flatMap(([rule, check]): Breach[] => {
    const wrong = attempts.filter((attempt) => check(attempt, sale, evidence) !== null)
    const [first] = wrong
    return first ? [{ rule, sale, seen: String(check(first, sale, evidence)), attempts: wrong }] : []
  })
})

/** The moment of the sale: in the first attempt the right one, and in the others the same. */
export const judgeMoments: Judge = bySale((evidence, sale, n) => {
  const attempts = attemptsOf(evidence, sale).filter(({ json }) => json !== null)
  const [first] = attempts
  if (!first) return []
  const said = first.json?.occurred_at
  if (typeof said !== 'string' || !WITH_OFFSET.test(said)) {
    return [{ rule: 'moment', sale, seen: `occurred_at was ${shown(said)}.`, attempts: [first] }]
  }
  const changed = attempts.find(({ json }) => json?.occurred_at !== said)
  if (changed) {
    const seen = `occurred_at was "${said}", then ${shown(changed.json?.occurred_at)}.`
    return [{ rule: 'moment-kept', sale, seen, attempts: [first, changed] }]
  }
  // A machine that takes no press while it sells reads the line when it has done with the sale before.
  const before = evidence.sales[n - 1]
  const free = before
    ? Math.max(0, ...evidence.spoken.filter(({ word }) => word === before.word).map(({ at }) => at))
    : 0
  const off = Date.parse(said) - sale.pressedAt
  const starting = before?.life === sale.life ? 0 : STARTS_WITHIN_MS
  const latest = Math.max(starting, free - sale.pressedAt) + MOMENT_TOLERANCE_MS
  if (evidence.byHand || (off >= -MOMENT_TOLERANCE_MS && off <= latest)) return []
  const seen = `occurred_at was ${secondsOf(Math.abs(off))} ${off < 0 ? 'before' : 'after'} the press.`
  return [{ rule: 'moment', sale, seen, attempts: [first] }]
})
