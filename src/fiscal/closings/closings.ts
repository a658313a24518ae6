import { setTimeout } from 'node:timers/promises'
import { FiskError } from '../../domain/errors.ts'
import { addClosings, type ClosingDocument } from '../../domain/sale/closing.ts'
import { type ClosingPeriod, isOver } from '../../domain/sale/closing-period.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Both } from '../../domain/texts/both.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireMode, requireScope, requireTheirs } from '../access/principal.ts'
import type { CreatingContext } from '../context.ts'
import { slicesOf } from '../in-slices.ts'
import type { Closing, ClosingOutline, ClosingsOf, PremisesKey } from '../ports/rows/closings.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { type ClosingProgress, type createPeriodClosing, type PeriodState, periodState } from './close-period.ts'
import { differenceOf } from './verify-closing.ts'

/** Which closings: of all companies and premises that the caller may see, or of fewer. */
export interface ClosingsWanted extends ClosingPeriod {
  mode: Mode
  companyId?: string | undefined
  premisesCode?: string | undefined
}

export interface ClosedPeriod {
  id: string
  document: ClosingDocument
}

export type AfterClosing = PremisesKey & { number: number }

export interface ClosingsDeps extends CreatingContext {
  periods: ReturnType<typeof createPeriodClosing>
  /** Of a run that nobody waits for any more. */
  onFault: (error: unknown) => void
}

const SLICE = 100
/** Longer runs go on in the background. */
const WAIT_MS = 2_000

export type ClosingUseCases = ReturnType<typeof createClosings>

/** Daily and monthly closings of premises. Every call throws FiskError `insufficient_scope` and `mode_mismatch`. */
export function createClosings(deps: ClosingsDeps) {
  const { store, clock, periods } = deps

  function read(principal: Principal, wanted: ClosingsWanted): ClosingsOf {
    requireScope(principal, 'invoices:read')
    requireMode(principal, wanted.mode, 'mode')
    return closingsOf(principal, wanted)
  }

  async function find(principal: Principal, id: string): Promise<Closing> {
    requireScope(principal, 'invoices:read')
    const closing = requireTheirs(principal, await store.closings.get(id), 'closing')
    requireMode(principal, closing.mode, 'mode')
    return closing
  }

  async function* slices(of: ClosingsOf): AsyncGenerator<ClosedPeriod[]> {
    const read = (last: ClosingOutline | undefined) => store.closings.list(of, { limit: SLICE, after: afterOf(last) })
    for await (const rows of slicesOf(SLICE, read)) yield rows.map(toClosed)
  }

  /** Begins to close what is open. @returns the run */
  async function begin(
    principal: Principal,
    wanted: ClosingsWanted,
    { keep, scheduleId }: { keep?: Keep<void> | undefined; scheduleId?: string },
  ): Promise<{ end: Promise<void> }> {
    requireScope(principal, 'fleet:write')
    const of = read(principal, wanted)
    const { unit, starts, mode, companyId, premisesCode } = wanted
    const now = clock.now()
    if (!isOver(wanted, now)) throw new FiskError('invalid_request', 'the period is not over', { param: 'period' })
    const detail = {
      unit,
      starts,
      mode,
      company_id: companyId ?? null,
      premises_code: premisesCode ?? null,
      ...(scheduleId !== undefined && { schedule_id: scheduleId }),
    }
    await keeping(store, keep, async (tx) => {
      await audit(tx, principal, now, 'period.closed', detail)
    })
    return { end: periods.run(of, principal) }
  }

  return {
    /** What is sold and closed, and how far a run here is. */
    async state(
      principal: Principal,
      wanted: ClosingsWanted,
    ): Promise<PeriodState & { running: ClosingProgress | null }> {
      const of = read(principal, wanted)
      return { ...(await periodState(store, of)), running: periods.progress(of) ?? null }
    },
    /** By company, premises and number, in slices. */
    async *all(principal: Principal, wanted: ClosingsWanted): AsyncGenerator<ClosedPeriod[]> {
      yield* slices(read(principal, wanted))
    },
    /** A page of them. */
    async list(
      principal: Principal,
      wanted: ClosingsWanted,
      { limit, after }: { limit: number; after?: AfterClosing | undefined },
    ): Promise<{ items: ClosedPeriod[]; next: AfterClosing | null }> {
      const rows = await store.closings.list(read(principal, wanted), { limit: limit + 1, after })
      const items = rows.slice(0, limit)
      return { items: items.map(toClosed), next: rows.length > limit ? (afterOf(items.at(-1)) ?? null) : null }
    },
    /** The sums over all of them. */
    async sums(principal: Principal, wanted: ClosingsWanted) {
      const all = []
      for await (const slice of slices(read(principal, wanted))) all.push(...slice.map(({ document }) => document))
      return { ...addClosings(all), closings: all.length }
    },
    /** @throws FiskError 404 */
    async get(principal: Principal, id: string): Promise<ClosedPeriod> {
      return toClosed(await find(principal, id))
    },
    /** Closes premises with open sales, or goes on in the background. @throws FiskError 400 before the period's end */
    async close(principal: Principal, wanted: ClosingsWanted, keep?: Keep<void>): Promise<void> {
      const run = await begin(principal, wanted, { keep })
      let waiting = true
      const end = run.end.catch((error: unknown) => {
        if (waiting) throw error
        deps.onFault(error)
      })
      await Promise.race([end, setTimeout(WAIT_MS, undefined, { ref: false })]).finally(() => {
        waiting = false
      })
    },
    /** Closes for a schedule what is open, and waits for its end. @throws FiskError as `close` */
    async closeAll(principal: Principal, wanted: ClosingsWanted, scheduleId: string): Promise<void> {
      requireScope(principal, 'fleet:write')
      const { open } = await periodState(store, read(principal, wanted))
      if (open.length > 0) await (await begin(principal, wanted, { scheduleId })).end
    },
    /** Adds it up again from its invoices. @returns what differs, for people; null when nothing does @throws FiskError 404 */
    async verify(principal: Principal, id: string): Promise<Both | null> {
      return differenceOf(store, await find(principal, id))
    },
  }
}

/** The wanted ones of those that the caller may see. */
function closingsOf(principal: Principal, wanted: ClosingsWanted): ClosingsOf {
  const { mode, unit, starts, companyId, premisesCode } = wanted
  const { tenantId } = principal
  const companyIds = companyId === undefined ? principal.companyIds : [companyId]
  const reached = companyIds?.filter((id) => reachesCompany(principal, id)) ?? null
  return { tenantId, mode, unit, starts, companyIds: reached, premisesCode }
}

const toClosed = ({ id, document }: ClosingOutline): ClosedPeriod => ({ id, document: JSON.parse(document) })

const afterOf = (row: ClosingOutline | undefined): AfterClosing | undefined =>
  row && { companyId: row.companyId, premisesCode: row.premisesCode, number: row.number }
