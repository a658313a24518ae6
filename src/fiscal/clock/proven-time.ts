import type { EpochMs } from '../../domain/instant.ts'
import type { ClockMarks } from '../ports/rows/processes.ts'

/**
 * A time that is never ahead of the true one: it advances with the elapsed time, and only a proof moves it further.
 * Decisions that cannot be undone use it, as to expire an invoice.
 */
export function createProvenTime(elapsed: () => number, start: Pick<ClockMarks, 'provenAt' | 'exactAt'>) {
  let { exactAt } = start
  /** The proven time when `elapsed` was zero. */
  let origin = start.provenAt - elapsed()
  const now = () => Math.floor(origin + elapsed())
  return {
    now,
    /** Takes a moment as past; an earlier one corrects it. @param exact whether it is no mere lower bound */
    learn(at: EpochMs, exact: boolean): void {
      origin = at - elapsed()
      if (exact) exactAt = Math.floor(at)
    },
    /** The state to store for the next start. */
    moments: (): Pick<ClockMarks, 'provenAt' | 'exactAt'> => ({ provenAt: now(), exactAt }),
  }
}
