import { countFailed, MANY_FAILED } from '../access/failed-sign-ins.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Rule } from './alert-watch.ts'
import { createLastingProblems } from './lasting-problem.ts'

/** Attempts with pauses in between are one alert. */
const CALM_MS = 60 * 60_000

/** Raises an alert for many failed sign-ins, of any user; it is reported to the operator's tenant. */
export function signInRule(store: Pick<StoreTransaction, 'audit'>, elapsed: () => number): Rule {
  const patience = createLastingProblems(elapsed, { clearAfterMs: CALM_MS })
  return {
    kinds: ['sign_ins_failed'],
    async look(now) {
      const count = await countFailed(store, now)
      const judgement = patience.judge('sign-ins', count >= MANY_FAILED.count ? 'wrong' : 'right')
      const detail = { count: MANY_FAILED.count, minutes: MANY_FAILED.withinMs / 60_000 }
      const finding = { tenantId: DEFAULT_TENANT, kind: 'sign_ins_failed', subject: 'sign-ins', detail } as const
      return { found: judgement === 'wrong' ? [finding] : [], isUnclear: () => judgement === 'unclear' }
    },
  }
}
