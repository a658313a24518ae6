import { type EpochMs, formatInstant, parseInstant } from '../../domain/instant.ts'
import { sentAfter } from '../closings/run-schedules.ts'
import type { OfficeMail } from '../ports/mail.ts'
import type { JsonObject } from '../ports/model.ts'
import type { ClosingSchedule } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'
import { createLastingProblems } from './lasting-problem.ts'

const KIND = 'closings_not_mailed'
const LATE_MS = 12 * 3_600_000
/** After an outage what is late goes out within minutes. */
const PATIENCE_MS = 15 * 60_000

/**
 * Closings that are not mailed: the schedule is stopped, one of its mails was given up, or one is late. A mail that was
 * given up is told until its period is sent again, or a user acknowledges the alert.
 */
export function scheduleRule(store: StoreTransaction, elapsed: () => number): Rule {
  const patience = createLastingProblems(elapsed, { raiseAfterMs: PATIENCE_MS })

  /** Until when a user has acknowledged what was given up; later alerts remember it. */
  async function acknowledgedUntil({ id, tenantId }: ClosingSchedule): Promise<EpochMs> {
    const alert = await store.alerts.latest(tenantId, KIND, id)
    const isOfMails = alert?.detail.reason === 'given_up'
    return (isOfMails && alert.acknowledgedAt) || (parseInstant(alert?.detail.acknowledged_until) ?? 0)
  }

  /** @param failing its mails that were given up, the latest first, and those that wait for too long */
  async function judge(schedule: ClosingSchedule, failing: readonly OfficeMail[], now: EpochMs) {
    const { id, recipient, unit, companyId, stopped, nextStarts } = schedule
    const givenUp = failing.filter(({ status }) => status === 'given_up')
    const isLate = now - sentAfter({ unit, starts: nextStarts }) >= LATE_MS || failing.length > givenUp.length
    const late = patience.judge(id, isLate ? 'wrong' : 'right')
    const seen = givenUp.length > 0 ? await acknowledgedUntil(schedule) : 0
    const unseen = givenUp.filter(({ nextTryAt }) => nextTryAt > seen)
    const why = whyNot(stopped, unseen, late === 'wrong')
    const about = { recipient, unit, ...why, ...(companyId !== null && { company_id: companyId }) }
    const detail = why && { ...about, ...(seen > 0 && { acknowledged_until: formatInstant(seen) }) }
    return { detail, isUnclear: late === 'unclear' }
  }

  return {
    kinds: [KIND],
    async look(now) {
      const found: Finding[] = []
      const unclear = new Set<string>()
      const all = await store.closingSchedules.list(null)
      patience.keepOnly(new Set(all.map(({ id }) => id)))
      for (const tenantId of new Set(all.map((one) => one.tenantId))) {
        const schedules = all.filter((one) => one.tenantId === tenantId)
        const ids = schedules.map(({ id }) => id)
        const failing = await store.officeMails.failing(tenantId, ids, now - LATE_MS)
        for (const schedule of schedules) {
          const { id, recipient } = schedule
          // What went to an earlier address was corrected since.
          const theirs = failing.filter((mail) => mail.requestedBy === id && mail.recipient === recipient)
          const { detail, isUnclear } = await judge(schedule, theirs, now)
          if (detail) found.push({ tenantId, kind: KIND, subject: id, detail })
          else if (isUnclear) unclear.add(id)
        }
      }
      return { found, isUnclear: ({ subject }) => unclear.has(subject) }
    },
  }
}

function whyNot(
  stopped: ClosingSchedule['stopped'],
  givenUp: readonly OfficeMail[],
  isLate: boolean,
): JsonObject | null {
  if (stopped !== null) return { reason: stopped }
  const [latest] = givenUp
  if (latest) {
    return { reason: 'given_up', answer: latest.lastError ?? '', latest: latest.subject, count: givenUp.length }
  }
  return isLate ? { reason: 'overdue' } : null
}
