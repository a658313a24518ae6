import { DAY_MS, type EpochMs } from '../instant.ts'
import { legalCutoffOf } from '../working-days.ts'
import { FISCALIZATION_DEADLINE_DAYS } from './invoice.ts'

/**
 * How long an invoice has lacked its JIR: up to two working days, longer, past days 21, 25 and 28, or for ever. That is no
 * legal deadline, which counts from the day on which the connection broke (`legalDeadlineIn`).
 */
export const AGES = ['young', 'older', 'day_21', 'day_25', 'day_28', 'too_late'] as const
export type Age = (typeof AGES)[number]

/** Sold at `from` or later and before `to`; without a limit where undefined. */
export interface AgeSpan {
  from: EpochMs | undefined
  to: EpochMs | undefined
}

/** The sales that are of each age now; the oldest age has no beginning, and the youngest no end. */
export function ageSpans(now: EpochMs): Record<Age, AgeSpan> {
  // A sale is of an age from the end of its last millisecond on.
  const daysAgo = (days: number) => now - days * DAY_MS + 1
  const young = legalCutoffOf(now)
  const [day21, day25, day28] = [daysAgo(21), daysAgo(25), daysAgo(28)]
  const tooLate = daysAgo(FISCALIZATION_DEADLINE_DAYS)
  return {
    too_late: { from: undefined, to: tooLate },
    day_28: { from: tooLate, to: day28 },
    day_25: { from: day28, to: day25 },
    day_21: { from: day25, to: day21 },
    older: { from: day21, to: young },
    young: { from: young, to: undefined },
  }
}

export function ageOf(occurredAt: EpochMs, now: EpochMs): Age {
  const spans = ageSpans(now)
  return AGES.find((age) => occurredAt >= (spans[age].from ?? Number.NEGATIVE_INFINITY)) ?? 'too_late'
}
