import { isDoubted } from '../numbering/doubtful-numbers.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Rule } from './alert-watch.ts'

/** Doubtful numbers from the central server, until an operator confirms them or the server sends others. */
export function doubtfulNumbersRule(store: Pick<StoreTransaction, 'enrolment'>): Rule {
  return {
    kinds: ['numbers_doubtful'],
    async look() {
      const enrolment = await store.enrolment.get()
      const [first, ...others] = (enrolment?.numbers ?? []).filter(isDoubted)
      if (!enrolment || !first) return { found: [] }
      const { premisesCode: premises, highest: number } = first
      const detail = { premises, number, count: others.length + 1 }
      return { found: [{ tenantId: enrolment.tenantId, kind: 'numbers_doubtful', subject: 'numbers', detail }] }
    },
  }
}
