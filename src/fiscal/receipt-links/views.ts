import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import { zagrebClock } from '../../domain/zagreb.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { findCompany } from '../registry/companies.ts'

/** What the office reads: the views of this many days. */
const VIEWS_DAYS = 30

const dayOf = (at: EpochMs) => zagrebClock(at).toISOString().slice(0, '2026-12-09'.length)

export type ViewUseCases = ReturnType<typeof createViews>

/** How often receipts are looked at, by day and company; who looks is not stored. */
export function createViews({ store, clock }: Context) {
  /** Not stored yet, by day and company. */
  let counted = new Map<string, number>()
  const add = (key: string, views: number) => counted.set(key, (counted.get(key) ?? 0) + views)
  return {
    count: (companyId: string): void => void add(`${dayOf(clock.now())} ${companyId}`, 1),
    /** Stores what was counted. @throws what the database throws; nothing is lost then */
    async flush(): Promise<void> {
      const taken = counted
      counted = new Map()
      for (const [key, views] of taken) {
        const [day = '', companyId = ''] = key.split(' ')
        try {
          await store.receiptLinks.addViews(day, companyId, views)
          taken.delete(key)
        } catch (error) {
          for (const [left, uncounted] of taken) add(left, uncounted)
          throw error
        }
      }
    },
    /** @throws FiskError `insufficient_scope`, 404 */
    async ofCompany(principal: Principal, companyId: string): Promise<number> {
      requireScope(principal, 'fleet:read')
      const { id } = await findCompany(store, principal, companyId, 'id')
      return store.receiptLinks.viewsSince(dayOf(clock.now() - (VIEWS_DAYS - 1) * DAY_MS), id)
    },
  }
}
