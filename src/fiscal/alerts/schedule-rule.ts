import type { ClosingSchedule } from '../ports/rows/closing-schedules.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** Closings that are not mailed any more: the schedule is stopped, or its latest mail was given up. */
export function scheduleRule(store: Pick<StoreTransaction, 'closingSchedules' | 'officeMails'>): Rule {
  async function answersOf(tenantId: string, schedules: ClosingSchedule[]): Promise<Map<string, string>> {
    const mails = await store.officeMails.latestOf(
      tenantId,
      schedules.map(({ id }) => id),
    )
    const givenUp = mails.filter(({ status }) => status === 'given_up')
    return new Map(
      givenUp.map(({ requestedBy, recipient, lastError }) => [`${requestedBy} ${recipient}`, lastError ?? '']),
    )
  }

  return {
    kinds: ['closings_not_mailed'],
    async look() {
      const found: Finding[] = []
      const all = await store.closingSchedules.list(null)
      for (const tenantId of new Set(all.map((one) => one.tenantId))) {
        const schedules = all.filter((one) => one.tenantId === tenantId)
        const answers = await answersOf(tenantId, schedules)
        for (const { id, recipient, unit, companyId, stopped } of schedules) {
          // A mail to the address before is no problem of the one that was saved since.
          const answer = answers.get(`${id} ${recipient}`)
          if (stopped === null && answer === undefined) continue
          const why = stopped === null ? { reason: 'given_up', answer: answer ?? '' } : { reason: stopped }
          const detail = { recipient, unit, ...why, ...(companyId !== null && { company_id: companyId }) }
          found.push({ tenantId, kind: 'closings_not_mailed', subject: id, detail })
        }
      }
      return { found }
    },
  }
}
