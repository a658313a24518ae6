import type { Finding } from '../../contract/reports/firmware-trial.ts'
import { type Attempt, attemptsOf, type Evidence, isDoubtful, isFinal, type Sale, spokenOf } from '../evidence.ts'
import { ELSEWHERE } from '../front/actions.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Breach, bySale, type Judge, pairsOf, secondsOf } from './breach.ts'
import { RULES, type RuleName } from './catalogue.ts'
import { judgeGoods, judgeScreenShown, judgeScreens } from './goods-rules.ts'
import { judgeMoments, judgeRequests } from './request-rules.ts'

const ASTRAY: readonly [RuleName, isAstray: (attempt: Attempt) => boolean, where: string][] = [
  ['tls-verified', ({ shown }) => shown === 'foreign', 'a server with a certificate of a foreign CA'],
  ['checks-name', ({ shown }) => shown === 'misnamed', 'a server with a certificate for another machine'],
  ['no-redirect', ({ path }) => path === ELSEWHERE, 'the address that a redirect named'],
]

const judgeAddresses: Judge = ({ attempts }) =>
  ASTRAY.flatMap(([rule, isAstray, where]) => {
    const first = attempts.find(isAstray)
    const seen = `The firmware sent its request, with its API key, to ${where}.`
    return first ? { rule, sale: first.sale, seen, attempts: [first] } : []
  })

const judgeEndings: Judge = ({ endings }) =>
  endings
    .filter(({ killed, code }) => !killed && code !== 0)
    .map(({ overdue, code, signal }) => {
      const seen = overdue
        ? 'It did not end after its input had ended.'
        : `It ended with ${signal === null ? `exit code ${code}` : signal}.`
      return { rule: 'stays-up' as const, sale: null, seen, attempts: [] }
    })

/** Clocks of timers are a little off. */
const EARLY_MS = 100
/** Less than half a second is no waiting. */
const SHORTEST_WAIT_MS = 500
/** The longest that fiskd takes. */
const LONGEST_ANSWER_MS = 9000

/** The attempts up to the first final answer: what comes after has rules of its own. */
function unanswered(evidence: Evidence, sale: Sale): Attempt[] {
  const attempts = attemptsOf(evidence, sale)
  const end = attempts.findIndex(isFinal)
  return end === -1 ? attempts : attempts.slice(0, end + 1)
}

const judgeSameness: Judge = bySale((evidence, sale) => {
  const breaches: Breach[] = []
  const stored = evidence.stored.filter(({ total }) => total === sale.total).length
  for (const [before, next] of pairsOf(unanswered(evidence, sale))) {
    if (before.key !== next.key) {
      const rule = before.life === next.life ? 'same-key' : 'key-survives-restart'
      const twice = stored > 1 ? ` fiskd has stored the sale ${stored} times.` : ''
      const seen = `The key was ${before.key}, then ${next.key}.${twice}`
      breaches.push({ rule, sale, seen, attempts: [before, next] })
    } else if (!sameBytes(before, next)) {
      const seen = `The body was ${before.body.length} bytes, then ${next.body.length} other ones with the same key.`
      breaches.push({ rule: 'same-bytes', sale, seen, attempts: [before, next] })
    }
  }
  return breaches.filter(({ rule }, n) => breaches.findIndex((one) => one.rule === rule) === n)
})

/** An Idempotency-Key belongs to its API key: under another one it is another sale. */
const judgeApiKey: Judge = bySale((evidence, sale) =>
  pairsOf(attemptsOf(evidence, sale))
    .filter(([before, next]) => before.authorization !== next.authorization)
    .slice(0, 1)
    .map(([before, next]) => {
      const stored = evidence.stored.filter(({ total }) => total === sale.total).length
      const seen = `It was sent again with another API key; fiskd has stored it ${stored === 1 ? 'once' : `${stored} times`}.`
      return { rule: 'same-api-key' as const, sale, seen, attempts: [before, next] }
    }),
)

const judgeAge: Judge = bySale((evidence, sale) => {
  const { dayLaterIn } = evidence
  if (dayLaterIn === null || sale.life >= dayLaterIn) return []
  const late = attemptsOf(evidence, sale).filter(({ life }) => life >= dayLaterIn)
  const seen = 'It was sent again a day after its first attempt, as a new sale for all that fiskd knows.'
  return late.length === 0 ? [] : [{ rule: 'searches-first', sale, seen, attempts: late.slice(0, 1) }]
})

/** A changed moment has a rule of its own. */
function sameBytes(one: Attempt, other: Attempt): boolean {
  const text = ({ body, json }: Attempt) => body.toString('latin1').replace(String(json?.occurred_at), '')
  return text(one) === text(other)
}

const judgeNewKeys: Judge = ({ sales, attempts }) => {
  const owners = new Map<string, { sale: Sale; attempt: Attempt }>()
  return attempts.flatMap((attempt): Breach[] => {
    const { sale, key } = attempt
    if (sale === null || key === null) return []
    const owner = owners.get(key) ?? { sale, attempt }
    owners.set(key, owner)
    if (owner.sale === sale || sales.indexOf(owner.sale) > sales.indexOf(sale)) return []
    const seen = `Sale ${sale.word} had the key of sale ${owner.sale.word}, ${key}.`
    return [{ rule: 'new-key', sale, seen, attempts: [owner.attempt, attempt] }]
  })
}

const judgeWaits: Judge = bySale((evidence, sale) =>
  pairsOf(unanswered(evidence, sale))
    .flatMap(([before, next]): Breach[] => {
      const wait = next.at - (before.answer?.at ?? before.endedAt)
      const asked = before.answer?.retryAfterS ?? null
      if (asked !== null) {
        if (wait >= asked * 1000 - EARLY_MS) return []
        const seen = `Retry-After was ${asked} s; the next attempt came after ${secondsOf(wait)}.`
        return [{ rule: 'waits-retry-after', sale, seen, attempts: [before, next] }]
      }
      // A new life need not know when the last one sent.
      if (before.life !== next.life || before.end === 'left' || wait >= SHORTEST_WAIT_MS) return []
      return [{ rule: 'backs-off', sale, seen: `The next attempt came after ${wait} ms.`, attempts: [before, next] }]
    })
    .slice(0, 1),
)

export const judgePatience: Judge = bySale((evidence, sale) =>
  attemptsOf(evidence, sale)
    .filter(({ end, at, endedAt }) => end === 'left' && endedAt - at < LONGEST_ANSWER_MS - EARLY_MS)
    .map((attempt) => ({
      rule: 'patient' as const,
      sale,
      seen: `The firmware hung up after ${secondsOf(attempt.endedAt - attempt.at)}.`,
      attempts: [attempt],
    }))
    .slice(0, 1),
)

const judgeCount: Judge = bySale((evidence, sale) => {
  const attempts = attemptsOf(evidence, sale)
  const last = attempts.at(-1)
  const gaveUp = spokenOf(evidence, sale, 'refused').length > 0
  if (!last) {
    return gaveUp ? [] : [{ rule: 'posts-sale', sale, seen: 'No request for this sale came.', attempts: [] }]
  }
  const end = attempts.findIndex(isFinal)
  if (end === -1) {
    if (gaveUp || isDoubtful(last, attempts.length - 1, attempts)) return []
    const seen = `After ${attempts.length === 1 ? 'one attempt' : `${attempts.length} attempts`} no other came.`
    return [{ rule: 'tries-again', sale, seen, attempts: [last] }]
  }
  const final = attempts[end] as Attempt
  const more = attempts.slice(end + 1)
  const [first] = more
  if (!first) return []
  const times = more.length === 1 ? 'once' : `${more.length} times`
  if (final.answer?.status !== 200) {
    const seen = `It was answered with ${final.answer?.status} and sent ${times} more.`
    return [{ rule: 'no-retry-of-refusal', sale, seen, attempts: [final, first] }]
  }
  const isOut = spokenOf(evidence, sale, 'goods').some(({ at }) => at < first.at)
  if (!isOut || first.life !== final.life) return []
  const seen = `The goods were out, and it was sent ${times} more.`
  return [{ rule: 'stops-after-answer', sale, seen, attempts: [final, first] }]
})

const judgeOrder: Judge = ({ sales, stored, attempts }) => {
  const numberOf = (sale: Sale) => stored.find(({ total }) => total === sale.total)?.number
  const numbered = sales
    .flatMap((sale) => ({ sale, number: numberOf(sale) ?? null }))
    .filter(({ number }) => number !== null)
  return numbered.flatMap(({ sale, number }, n): Breach[] => {
    const before = numbered[n - 1]
    // A person may choose the same price twice: then the two cannot be told apart.
    if (!before || before.sale.total === sale.total || Number(before.number) < Number(number)) return []
    const seen = `Sale ${sale.word} was made after sale ${before.sale.word} and got number ${number} before ${before.number}.`
    return [{ rule: 'order', sale, seen, attempts: attempts.filter((one) => one.sale === sale).slice(0, 1) }]
  })
}

const ALWAYS: Judge[] = [
  judgeAddresses,
  judgeRequests,
  judgeMoments,
  judgeSameness,
  judgeApiKey,
  judgeAge,
  judgeNewKeys,
  judgeCount,
  judgeWaits,
  judgePatience,
  judgeOrder,
  judgeGoods,
  judgeScreens,
]

/** All that is wrong with what the firmware did in a scenario, in the order of a sale's way. */
export function judge(evidence: Evidence, { instead = {}, also = [], waived = [] }: Scenario): Finding[] {
  const judges = also.includes('shows-qr-code') ? [...ALWAYS, judgeScreenShown] : ALWAYS
  const breaches = judges.flatMap((judgeOne) => judgeOne(evidence)).filter(({ rule }) => !waived.includes(rule))
  // A firmware that still tries, or that never began, cannot end well: the cause is named already.
  const endings = breaches.length === 0 ? evidence.endings : evidence.endings.filter(({ overdue }) => !overdue)
  const ended = judgeEndings({ ...evidence, endings })
  return [...breaches, ...ended].map((breach) => findingOf({ ...breach, rule: instead[breach.rule] ?? breach.rule }))
}

function findingOf({ rule, sale, seen, attempts }: Breach): Finding {
  const { expected, section, chapter } = RULES[rule]
  return {
    rule,
    sale: sale?.word ?? null,
    expected,
    seen,
    document: `docs/firmware.md#${section}`,
    chapter,
    request_ids: [...new Set(attempts.map(({ requestId }) => requestId))],
  }
}
