import { setImmediate } from 'node:timers/promises'
import type { ClosingsOf } from '../ports/rows/closings.ts'
import { type ClosedBy, type ClosePremisesDeps, closePremises } from './close-premises.ts'
import { periodState } from './open-premises.ts'

/** How far the closing of a period is in this process. */
export interface ClosingProgress {
  done: number
  of: number
}

export interface PeriodClosing {
  /**
   * Closes all premises with open sales, one after another; further calls for the same join the run that goes on. What
   * is closed stays closed, so after a crash a new run does the rest.
   * @throws what the store throws
   */
  run(of: ClosingsOf, by: ClosedBy): Promise<void>
  /** Undefined when no run goes on here. */
  progress(of: ClosingsOf): ClosingProgress | undefined
  /** Ends the runs after the premises that each is closing. */
  close(): Promise<void>
}

export function createPeriodClosing(deps: ClosePremisesDeps): PeriodClosing {
  const runs = new Map<string, ClosingProgress & { end: Promise<void> }>()
  let stopped = false

  async function closeAll(of: ClosingsOf, by: ClosedBy, progress: ClosingProgress): Promise<void> {
    const { open } = await periodState(deps.store, of)
    progress.of = open.length
    const { mode, unit, starts } = of
    for (const { companyId, premisesCode } of open) {
      if (stopped) return
      await closePremises(deps, { companyId, premisesCode, mode }, { unit, starts }, by)
      progress.done++
      await setImmediate()
    }
  }

  return {
    run(of, by) {
      const key = JSON.stringify(of)
      const before = runs.get(key)
      if (before) return before.end
      const progress = { done: 0, of: 0, end: Promise.resolve() }
      progress.end = closeAll(of, by, progress).finally(() => runs.delete(key))
      runs.set(key, progress)
      return progress.end
    },
    progress(of) {
      const run = runs.get(JSON.stringify(of))
      return run && { done: run.done, of: run.of }
    },
    async close() {
      stopped = true
      await Promise.allSettled([...runs.values()].map(({ end }) => end))
    },
  }
}
