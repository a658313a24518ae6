import { setImmediate } from 'node:timers/promises'
import { type Cents, centsOf } from '../../../domain/money.ts'
import type { Invoice } from '../../ports/model.ts'
import type { Direction, InvoiceRange, RangeEnd, RangeMatch, RangePosition } from '../../ports/rows/invoice-ranges.ts'
import type { StoreTransaction } from '../../ports/store.ts'
import { isExact, type ListPlan } from './plan.ts'

/** Entries between two pauses: a few milliseconds. */
const SLICE = 500
/** Entries that are looked at for one page, or for one count, of all ranges together. */
const LOOKED_AT = 2_000

type Ranges = Pick<StoreTransaction, 'invoiceRanges'>

export interface ReadPositions {
  positions: RangePosition[]
  /** Where the reading stopped although no row was missing to the limit: there may be matches behind. */
  stoppedAt: RangePosition | null
}

/** The first matches of a plan behind a position, in a direction; looks at a bounded number of entries in any case. */
export async function readPositions(
  store: Ranges,
  { ranges, match, order }: ListPlan,
  direction: Direction,
  { behind, limit }: { behind: RangePosition | null; limit: number },
): Promise<ReadPositions> {
  const isAscending = direction === 'ascending'
  const compare = (one: RangePosition, other: RangePosition) =>
    comparePositions(one, other, order.by) * (isAscending ? 1 : -1)
  const found: RangePosition[] = []
  let stoppedAt: RangePosition | null = null
  for (const range of ranges) {
    const part = behind === null ? range : cut(range, behind, direction, order.by)
    const budget = Math.max(SLICE, LOOKED_AT / ranges.length)
    const { positions, stopped } = await readRange(store, part, { direction, match, limit, budget })
    found.push(...positions)
    if (stopped && (stoppedAt === null || compare(stopped, stoppedAt) < 0)) stoppedAt = stopped
  }
  const end = stoppedAt
  const sure = found.filter((position) => end === null || compare(position, end) <= 0).sort(compare)
  const positions = sure.slice(0, limit)
  return { positions, stoppedAt: positions.length === limit ? null : stoppedAt }
}

async function readRange(
  store: Ranges,
  range: InvoiceRange,
  { direction, match, limit, budget }: { direction: Direction; match: RangeMatch; limit: number; budget: number },
): Promise<{ positions: RangePosition[]; stopped: RangePosition | null }> {
  if (isExact(match)) {
    return { positions: await store.invoiceRanges.positions(range, direction, match, limit), stopped: null }
  }
  const positions: RangePosition[] = []
  let rest = range
  for (let lookedAt = 0; lookedAt < budget; lookedAt += SLICE) {
    const { end, slice, behind } = await sliceOf(store, rest, direction)
    const missing = limit - positions.length
    positions.push(...(await store.invoiceRanges.positions(slice, direction, match, missing)))
    if (end === undefined || positions.length === limit) return { positions, stopped: null }
    rest = behind
    await setImmediate()
  }
  return { positions, stopped: direction === 'ascending' ? rest.above : rest.below }
}

/** The next entries of a range, and the range behind them; `end` is undefined for the last slice. */
async function sliceOf(store: Ranges, range: InvoiceRange, direction: Direction) {
  const end = await store.invoiceRanges.positionAfter(range, direction, SLICE)
  if (end === undefined) return { end, slice: range, behind: range }
  const isAscending = direction === 'ascending'
  const last: RangeEnd = { ...end, isIncluded: true }
  const slice = { ...range, ...(isAscending ? { below: last } : { above: last }) }
  return { end, slice, behind: { ...range, ...(isAscending ? { above: end } : { below: end }) } }
}

export interface Tally {
  count: number
  cents: Cents
  /** All matches were counted; otherwise there may be more of them. */
  isComplete: boolean
  /** There are more than `count`, and they were not added up. */
  isCountOnly: boolean
}

/** Counts and adds up what matches in some ranges, looking at a bounded number of entries. */
export async function tallyOf(store: Ranges, ranges: readonly InvoiceRange[], match: RangeMatch): Promise<Tally> {
  const sum = { count: 0, cents: 0n }
  let left = LOOKED_AT
  for (const range of ranges) {
    // Of a long range without further conditions the index says at once that it is too long.
    if (isExact(match) && (await store.invoiceRanges.positionAfter(range, 'ascending', left + 1))) {
      return { count: sum.count + left, cents: 0n, isComplete: false, isCountOnly: true }
    }
    for (let rest = range; ; ) {
      if (left <= 0) return { ...sum, isComplete: false, isCountOnly: false }
      const { end, slice, behind } = await sliceOf(store, rest, 'ascending')
      const part = await store.invoiceRanges.tally(slice, match)
      sum.count += part.count
      sum.cents += part.cents
      if (end === undefined) break
      left -= SLICE
      rest = behind
      await setImmediate()
    }
  }
  return { ...sum, isComplete: true, isCountOnly: false }
}

/** Where an invoice stands in a list. */
export function positionOf({ document, occurredAt, id }: Invoice): RangePosition {
  return { amount: centsOf(document.total), at: occurredAt, id }
}

function comparePositions(one: RangePosition, other: RangePosition, by: 'time' | 'amount'): number {
  if (by === 'amount' && one.amount !== other.amount) return one.amount < other.amount ? -1 : 1
  return one.at - other.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
}

/** What of a range is behind a position; ranges of several modes and statuses have positions in common. */
function cut(range: InvoiceRange, behind: RangePosition, direction: Direction, by: 'time' | 'amount'): InvoiceRange {
  if (direction === 'ascending') {
    return comparePositions(behind, range.above, by) > 0 ? { ...range, above: behind } : range
  }
  return comparePositions(behind, range.below, by) < 0 ? { ...range, below: behind } : range
}
