import type { Finding } from '../../contract/reports/firmware-trial.ts'
import type { Attempt, Evidence } from '../evidence.ts'
import { ELSEWHERE } from '../front/actions.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Breach, Judge } from './breach.ts'
import { RULES, type RuleName } from './catalogue.ts'
import { judgeGoods, judgeScreenShown, judgeScreens } from './goods-rules.ts'
import { judgeMoments, judgeRequests } from './request-rules.ts'
import {
  judgeAge,
  judgeApiKey,
  judgeCount,
  judgeNewKeys,
  judgeOrder,
  judgePatience,
  judgeSameness,
  judgeWaits,
} from './retry-rules.ts'

/** Where no request of the firmware may go. */
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

/** The firmware ends by itself only, and well. */
const judgeEndings: Judge = ({ endings }) =>
  endings
    .filter(({ killed, code }) => !killed && code !== 0)
    .map(({ overdue, code, signal }) => {
      const seen = overdue
        ? 'It did not end after its input had ended.'
        : `It ended with ${signal === null ? `exit code ${code}` : signal}.`
      return { rule: 'stays-up' as const, sale: null, seen, attempts: [] }
    })

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
