import type { Finding } from '../../contract/reports/firmware-trial.ts'
import type { Evidence } from '../evidence.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Breach, Judge } from './breach.ts'
import { RULES } from './catalogue.ts'
import { judgeEndings, judgeTls } from './firmware-rules.ts'
import { judgeGoods, judgeScreenShown, judgeScreens } from './goods-rules.ts'
import { judgeMoments, judgeRequests } from './request-rules.ts'
import { judgeCount, judgeNewKeys, judgeOrder, judgePatience, judgeSameness, judgeWaits } from './retry-rules.ts'

const ALWAYS: Judge[] = [
  judgeTls,
  judgeRequests,
  judgeMoments,
  judgeSameness,
  judgeNewKeys,
  judgeCount,
  judgeWaits,
  judgePatience,
  judgeOrder,
  judgeGoods,
  judgeScreens,
]

/** All that is wrong with what the firmware did in a scenario, in the order of a sale's way. */
export function judge(evidence: Evidence, { instead = {}, also = [] }: Scenario): Finding[] {
  const judges = also.includes('shows-qr-code') ? [...ALWAYS, judgeScreenShown] : ALWAYS
  const breaches = judges.flatMap((judgeOne) => judgeOne(evidence))
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
