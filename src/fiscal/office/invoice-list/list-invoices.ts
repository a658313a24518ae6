import { setImmediate } from 'node:timers/promises'
import { bytesOf, LARGE_ROWS, PAGE_BYTES } from '../../../domain/json-limits.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import { slices } from '../../../domain/slices.ts'
import { type Principal, requireScope } from '../../access/principal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Invoice } from '../../ports/model.ts'
import type { Direction, RangePosition } from '../../ports/rows/invoice-ranges.ts'
import type { StoreTransaction } from '../../ports/store.ts'
import { type ListOrder, type ListPlan, planOf, type WantedInvoices } from './plan.ts'
import { positionOf, type ReadPositions, readPositions, type Tally, tallyOf } from './read-ranges.ts'

/** Which page: the first, the last, or the one behind or before a position. */
export type ListPosition = 'first' | 'last' | { behind: RangePosition } | { before: RangePosition }

export interface InvoicePage {
  items: Invoice[]
  order: ListOrder
  canOrderByAmount: boolean
  /** The next page is behind this position; null on the last page. */
  next: RangePosition | null
  /** The page before ends before this position; null on the first page. */
  previous: RangePosition | null
  /** The sale up to which was searched; null when nothing was left out. More may be found behind it. */
  searchedTo: RangePosition | null
}

/** What matches: real and test sales have sums of their own. */
export type InvoiceTally = Record<Mode, Tally | null>

export interface InvoiceListDeps {
  store: Pick<StoreTransaction, 'companies' | 'gateways' | 'invoiceRanges' | 'invoices'>
  clock: Pick<Clock, 'now'>
  /** Updates the statuses that change with time alone. */
  expireOverdue: () => Promise<void>
}

const PAGE = 50
/** Rows that are read at once where all are wanted. */
const AT_ONCE = 200
/** Few matches among very many entries are not searched to the end: one part looks at 2,000. */
const PARTS_OF_ALL = 100

/** The list of invoices of the office. Every page takes as long as every other, however long the list is. */
export function createInvoiceList({ store, clock, expireOverdue }: InvoiceListDeps) {
  async function plan(principal: Principal, wanted: WantedInvoices, order?: ListOrder): Promise<ListPlan | undefined> {
    requireScope(principal, 'invoices:read')
    const { tenantId, deviceId: boundTo } = principal
    const { gateway, ...others } = wanted
    const deviceId = boundTo ?? wanted.deviceId
    const mode = principal.mode ?? wanted.mode
    if (wanted.deviceId !== undefined && wanted.deviceId !== deviceId) return undefined
    if (wanted.mode !== null && wanted.mode !== mode) return undefined
    const { companyId: asked } = wanted
    const companyId = asked && (await store.companies.idWithin(tenantId, asked))
    const found = gateway === undefined ? undefined : await store.gateways.named(tenantId, gateway)
    if (gateway !== undefined && found === undefined) return undefined
    const visible = principal.companyIds ?? undefined
    const named = { tenantId, mode, companyId, companyIds: visible, deviceId, gatewayId: found?.id }
    return planOf({ ...others, ...named, order }, clock.now())
  }

  return {
    /** @throws FiskError `insufficient_scope` */
    async page(principal: Principal, wanted: WantedInvoices, order: ListOrder | undefined, position: ListPosition) {
      await expireOverdue()
      const planned = await plan(principal, wanted, order)
      const fallback: ListOrder = { by: 'time', direction: 'descending' }
      if (!planned) return { ...NOTHING, order: order ?? fallback }
      return pageOf(store, planned, position)
    },
    /**
     * The ids of all that match, the earliest sale first; undefined for more than `most`, or when it would take too
     * long.
     * @throws FiskError `insufficient_scope`
     */
    async all(principal: Principal, wanted: WantedInvoices, most: number): Promise<string[] | undefined> {
      await expireOverdue()
      const planned = await plan(principal, wanted, { by: 'time', direction: 'ascending' })
      return planned ? allOf(store, planned, most) : []
    },
    /** Null for a mode that is not wanted. @throws FiskError `insufficient_scope` */
    async tally(principal: Principal, wanted: WantedInvoices): Promise<InvoiceTally> {
      await expireOverdue()
      const planned = await plan(principal, wanted)
      const of = async (mode: Mode): Promise<Tally | null> => {
        if ((wanted.mode ?? mode) !== mode) return null
        const ranges = planned?.ranges.filter((range) => range.of.mode === mode) ?? []
        return tallyOf(store, ranges, planned?.match ?? {})
      }
      return { live: await of('live'), test: await of('test') }
    },
  }
}

const NOTHING = { items: [], canOrderByAmount: false, next: null, previous: null, searchedTo: null }

async function pageOf(store: InvoiceListDeps['store'], plan: ListPlan, position: ListPosition): Promise<InvoicePage> {
  const { order, canOrderByAmount } = plan
  const isBackward = position === 'last' || (position !== 'first' && 'before' in position)
  const behind = typeof position === 'string' ? null : 'before' in position ? position.before : position.behind
  const direction = isBackward ? opposite(order.direction) : order.direction
  const { positions, stoppedAt } = await readPositions(store, plan, direction, { behind, limit: PAGE + 1 })
  const items = await invoicesAt(store, positions.slice(0, PAGE))
  const farthest = items.at(-1)
  const beyond = positions.length > items.length && farthest ? positionOf(farthest) : stoppedAt
  if (isBackward) items.reverse()
  const edge = isBackward ? items.at(-1) : items[0]
  // Where the reading began there are others, unless it began at an end of the list.
  const origin = behind === null ? null : edge ? positionOf(edge) : behind
  return {
    items,
    order,
    canOrderByAmount,
    next: isBackward ? origin : beyond,
    previous: isBackward ? beyond : origin,
    searchedTo: stoppedAt,
  }
}

/** The invoices at these positions, as many as a page may have bytes, and one at least. */
async function invoicesAt(
  { invoices }: Pick<StoreTransaction, 'invoices'>,
  positions: readonly RangePosition[],
): Promise<Invoice[]> {
  const items: Invoice[] = []
  let bytes = 0
  for (const some of slices(positions, LARGE_ROWS)) {
    const ids = some.map(({ id }) => id)
    const found = new Map((await invoices.withIds(ids)).map((invoice) => [invoice.id, invoice]))
    for (const invoice of ids.flatMap((id) => found.get(id) ?? [])) {
      bytes += bytesOf(invoice)
      if (items.length > 0 && bytes > PAGE_BYTES) return items
      items.push(invoice)
    }
    await setImmediate()
  }
  return items
}

async function allOf(store: InvoiceListDeps['store'], plan: ListPlan, most: number): Promise<string[] | undefined> {
  const found: string[] = []
  let behind: RangePosition | null = null
  for (let part = 0; part < PARTS_OF_ALL; part++) {
    const slice = { behind, limit: AT_ONCE }
    const { positions, stoppedAt }: ReadPositions = await readPositions(store, plan, plan.order.direction, slice)
    found.push(...positions.map(({ id }) => id))
    if (found.length > most) return undefined
    behind = positions.length === AT_ONCE ? (positions.at(-1) ?? null) : stoppedAt
    if (behind === null) return found
    await setImmediate()
  }
  return undefined
}

const opposite = (direction: Direction): Direction => (direction === 'ascending' ? 'descending' : 'ascending')
