import { sentAfter } from '../closings/run-schedules.ts'
import type { JsonObject } from '../ports/model.ts'
import type { ClosingSchedule } from '../ports/rows/closing-schedules.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'
import { createLastingProblems } from './lasting-problem.ts'

const LATE_MS = 12 * 3_600_000
/** After an outage what is late goes out within minutes. */
const PATIENCE_MS = 15 * 60_000

/** Closings that are not mailed: the schedule is stopped, its latest mail was given up, or the next one is late. */
export function scheduleRule(
  store: Pick<StoreTransaction, 'closingSchedules' | 'officeMails'>,
  elapsed: () => number,
): Rule {
  const patience = createLastingProblems(elapsed, { raiseAfterMs: PATIENCE_MS })

  /** What the mail server said of the latest mail to the address that is set now. */
  async function refusalsOf(tenantId: string, schedules: ClosingSchedule[]): Promise<Map<string, string>> {
    const recipients = new Map(schedules.map(({ id, recipient }) => [id, recipient]))
    const mails = await store.officeMails.latestOf(tenantId, [...recipients.keys()])
    const refused = mails.filter(
      ({ status, requestedBy, recipient }) => status === 'given_up' && recipients.get(requestedBy) === recipient,
    )
    return new Map(refused.map(({ requestedBy, lastError }) => [requestedBy, lastError ?? '']))
  }

  return {
    kinds: ['closings_not_mailed'],
    async look(now) {
      const found: Finding[] = []
      const unclear = new Set<string>()
      const all = await store.closingSchedules.list(null)
      patience.keepOnly(new Set(all.map(({ id }) => id)))
      for (const tenantId of new Set(all.map((one) => one.tenantId))) {
        const schedules = all.filter((one) => one.tenantId === tenantId)
        const refusals = await refusalsOf(tenantId, schedules)
        for (const { id, recipient, unit, companyId, stopped, nextStarts } of schedules) {
          const isLate = now - sentAfter({ unit, starts: nextStarts }) >= LATE_MS
          const late = patience.judge(id, isLate ? 'wrong' : 'right')
          const why = whyNot(stopped, refusals.get(id), late === 'wrong')
          if (why) {
            const detail = { recipient, unit, ...why, ...(companyId !== null && { company_id: companyId }) }
            found.push({ tenantId, kind: 'closings_not_mailed', subject: id, detail })
          } else if (late === 'unclear') unclear.add(id)
        }
      }
      return { found, isUnclear: ({ subject }) => unclear.has(subject) }
    },
  }
}

function whyNot(stopped: ClosingSchedule['stopped'], refusal: string | undefined, isLate: boolean): JsonObject | null {
  if (stopped !== null) return { reason: stopped }
  if (refusal !== undefined) return { reason: 'given_up', answer: refusal }
  return isLate ? { reason: 'overdue' } : null
}
