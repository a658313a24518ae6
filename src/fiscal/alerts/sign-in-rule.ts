import { countFailed, MANY_FAILED } from '../access/failed-sign-ins.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Rule } from './alert-watch.ts'
import { createLastingProblems } from './lasting-problem.ts'

/** What goes on with pauses is one alert. */
const CALM_MS = 60 * 60_000

/** Many sign-ins have failed, whoever they were for: told to the tenant that the machine's operator works for. */
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
