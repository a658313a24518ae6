import { setImmediate } from 'node:timers/promises'
import { periodAfter } from '../../domain/sale/closing-period.ts'
import type { CreatingContext } from '../context.ts'
import { premisesKey } from '../ports/gateways.ts'
import type { ClosingsOf, PremisesCount } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type ClosedBy, closePremises } from './close-premises.ts'

/** How far the closing of a period is in this process. */
export interface ClosingProgress {
  done: number
  of: number
}

export function createPeriodClosing(deps: CreatingContext) {
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
    /**
     * Closes all premises with open sales, one after another; further calls for the same join the run that goes on.
     * What is closed stays closed, so after a crash a new run does the rest.
     */
    run(of: ClosingsOf, by: ClosedBy): Promise<void> {
      const key = JSON.stringify(of)
      const before = runs.get(key)
      if (before) return before.end
      const progress = { done: 0, of: 0, end: Promise.resolve() }
      progress.end = closeAll(of, by, progress).finally(() => runs.delete(key))
      runs.set(key, progress)
      return progress.end
    },
    /** Undefined when no run goes on here. */
    progress(of: ClosingsOf): ClosingProgress | undefined {
      const run = runs.get(JSON.stringify(of))
      return run && { done: run.done, of: run.of }
    },
    /** Ends the runs after the premises that each is closing. */
    async close(): Promise<void> {
      stopped = true
      await Promise.allSettled([...runs.values()].map(({ end }) => end))
    },
  }
}

/** What is sold and closed in a period, over all premises. */
export interface PeriodState {
  /** Premises with sales. */
  premises: number
  invoices: number
  /** Premises with invoices that no closing holds, by company and premises, and how many invoices these are. */
  open: PremisesCount[]
}

/** From the sums that are kept as sales are stored: no invoice is read. */
export async function periodState(store: StoreTransaction, of: ClosingsOf): Promise<PeriodState> {
  const { tenantId, mode, companyIds, premisesCode, unit, starts } = of
  const span = { unit, from: starts, to: periodAfter({ unit, starts }).starts }
  const filter = { tenantId, mode, premisesCode, spans: [span], kinds: ['total'] as const }
  const sold = await store.turnover.sums({ ...filter, companyIds: companyIds ?? undefined }, [
    'companyId',
    'premisesCode',
  ])
  const held = new Map((await store.closings.held(of)).map((one) => [premisesKey(one), one.invoices]))
  const open = sold
    .map(({ companyId, premisesCode, invoices }) => ({ companyId, premisesCode, invoices }))
    .map((one) => ({ ...one, invoices: one.invoices - (held.get(premisesKey(one)) ?? 0) }))
    .filter(({ invoices }) => invoices > 0)
    .sort((one, other) => (premisesKey(one) < premisesKey(other) ? -1 : 1))
  return { premises: sold.length, invoices: sold.reduce((sum, { invoices }) => sum + invoices, 0), open }
}
