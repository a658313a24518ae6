import { setImmediate } from 'node:timers/promises'
import { dateAt } from '../../domain/calendar-date.ts'
import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { type ClosingPeriod, periodAfter, periodAt, spanOf } from '../../domain/sale/closing-period.ts'
import type { Principal } from '../access/principal.ts'
import type { Lease } from '../lease.ts'
import type { OfficeMailing } from '../mail/office-mail.ts'
import type { WatchedClock } from '../ports/clock.ts'
import type { Language } from '../ports/model.ts'
import type { ClosingSchedule, ScheduleStop } from '../ports/rows/closings.ts'
import { DatabaseAway, type Store } from '../ports/store.ts'
import { requireStillAllowed } from './closing-schedules.ts'
import type { ClosedPeriod, ClosingsWanted, ClosingUseCases } from './closings.ts'
import { auditMailed, type ClosingLetter, subjectOf } from './give-closings.ts'

export interface RunSchedulesDeps {
  store: Store
  clock: Pick<WatchedClock, 'now' | 'present'>
  /** One process at a time closes and sends. */
  lease: Lease
  closings: Pick<ClosingUseCases, 'all' | 'closeAll'>
  mails: Pick<OfficeMailing, 'queue'>
  /** With the rights that the user has now; undefined for one who was removed. */
  principalOf(userId: string): Promise<Principal | undefined>
  letter(
    to: { to: string; language: Language },
    wanted: ClosingsWanted,
    slices: AsyncIterable<ClosedPeriod[]>,
  ): Promise<ClosingLetter>
  /** A schedule that failed is tried again with the next pass. */
  onFault(schedule: ClosingSchedule, error: unknown): void
}

/** Machines that are switched off at night, or report late, have some hours to report the evening. */
const NIGHT_MS = 3 * 3_600_000
/** Of what was missed, so many of the latest periods are sent. */
const CAUGHT_UP = { day: 31, month: 3 } as const

/**
 * Closes and mails what is due, one schedule after another. A period is sent once: the mail and the step to the next
 * period are stored together, and a mail of a schedule and a period is never stored twice.
 */
export async function runSchedules(deps: RunSchedulesDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, lease, onFault } = deps
  // A closing is for ever: a clock that may be ahead closes nothing.
  const now = clock.present().earliest
  for (const schedule of await store.closingSchedules.list(null)) {
    if (schedule.stopped !== null) continue
    for (const period of duePeriods(schedule, now, clock.now())) {
      if (signal.aborted || !(await lease.hold())) return
      const goesOn = await sendOrStop(deps, schedule, period, signal).catch((error: unknown) => {
        if (error instanceof DatabaseAway) throw error
        onFault(schedule, error)
        return false
      })
      if (!goesOn) break
      await setImmediate()
    }
  }
}

/** When a period is closed and sent. */
export const sentAfter = (period: ClosingPeriod): EpochMs => spanOf(period).to + NIGHT_MS

/** The periods to be sent, the oldest first. @param now not after the right time @param shown what the clock says */
function duePeriods({ unit, nextStarts }: ClosingSchedule, now: EpochMs, shown: EpochMs): ClosingPeriod[] {
  const current = periodAt(unit, dateAt(now))
  const isFromFarAhead = nextStarts > periodAt(unit, dateAt(shown)).starts
  const due: ClosingPeriod[] = []
  for (let back: number = CAUGHT_UP[unit]; back > 0; back--) {
    const period = periodAfter(current, -back)
    // What a clock far ahead has saved does not wait for years.
    const isNew = period.starts >= nextStarts || (back === 1 && isFromFarAhead)
    if (isNew && sentAfter(period) <= now) due.push(period)
  }
  return due
}

/** @returns whether the next period can be sent */
async function sendOrStop(...order: Parameters<typeof send>): Promise<boolean> {
  const [deps, schedule] = order
  try {
    return await send(...order)
  } catch (error) {
    const stopped = stopOf(error)
    if (stopped === null) throw error
    await deps.store.closingSchedules.updateUnlessSaved(schedule, { stopped })
    return false
  }
}

/** Null for what the next pass may do. */
function stopOf(error: unknown): ScheduleStop | null {
  if (!(error instanceof FiskError)) return null
  if (error.code === 'insufficient_scope') return 'not_allowed'
  return error.reason === 'mail_too_large' ? error.reason : null
}

async function send(
  { closings, mails, clock, principalOf, letter }: RunSchedulesDeps,
  schedule: ClosingSchedule,
  period: ClosingPeriod,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, tenantId, mode, companyId, recipient, language } = schedule
  const principal = requireStillAllowed(await principalOf(schedule.savedBy), schedule)
  const wanted: ClosingsWanted = { ...period, mode, companyId: companyId ?? undefined }
  await closings.closeAll(principal, wanted, id)
  // The run has ended early.
  if (signal.aborted) return false
  const written = await letter({ to: recipient, language }, wanted, closings.all(principal, wanted))
  const once = `schedule ${id} ${period.unit} ${period.starts}`
  const nextStarts = periodAfter(period).starts
  let isCurrent = false
  await mails
    .queue({ id, tenantId }, { ...written, ...subjectOf(wanted), once }, async (tx, _mail, isNew) => {
      isCurrent = await tx.closingSchedules.updateUnlessSaved(schedule, { nextStarts })
      if (!isCurrent) throw new SavedMeanwhile()
      if (isNew) await auditMailed(tx, principal, clock.now(), wanted, { to: recipient, scheduleId: id })
    })
    .catch((error: unknown) => {
      if (!(error instanceof SavedMeanwhile)) throw error
    })
  return isCurrent
}

/** A user has changed or removed the schedule: the next pass reads it anew. */
class SavedMeanwhile extends Error {}
