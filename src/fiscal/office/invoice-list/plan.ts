import type { EpochMs } from '../../../domain/instant.ts'
import type { Cents } from '../../../domain/money.ts'
import type { FiscalErrorCode, InvoiceStatus } from '../../../domain/sale/invoice.ts'
import { type Age, ageSpans } from '../../../domain/sale/invoice-age.ts'
import type { Mode, PaymentMethod } from '../../../domain/sale/sale.ts'
import type { Direction, InvoiceRange, RangeKey, RangeMatch, RangePosition } from '../../ports/rows/invoice-ranges.ts'
import type { Span, UnconfirmedStatus } from '../../ports/rows/sales.ts'

/** How a list is read: from the entries of few indexes, compared with what the indexes do not tell. */
export interface ListPlan {
  ranges: InvoiceRange[]
  match: RangeMatch
  order: ListOrder
  /** Whether it could be ordered by amount, too. */
  canOrderByAmount: boolean
}

/** What a plan is made of: the wishes, with what the principal may see and the ids of what was named. */
export interface PlanOf extends Omit<WantedInvoices, 'gateway'> {
  tenantId: string
  gatewayId?: string | undefined
  /** Only invoices of these companies. */
  companyIds?: readonly string[] | undefined
  order?: ListOrder | undefined
}

/** More companies are compared with each entry instead of being read one by one. */
const MOST_COMPANIES = 20
const STATUSES: Record<Exclude<WantedStatus, 'confirmed'>, readonly UnconfirmedStatus[]> = {
  pending: ['pending'],
  retrying: ['retrying'],
  failed: ['failed'],
  expired: ['expired'],
  waiting: ['pending', 'retrying'],
  without_jir: ['pending', 'retrying', 'failed'],
}
const ALL_WITHOUT_JIR: readonly UnconfirmedStatus[] = ['pending', 'retrying', 'failed', 'expired']

/** Before and after all positions. Ids are text; no id begins with this character. */
const [FIRST_AMOUNT, LAST_AMOUNT] = [-(10n ** 18n), 10n ** 18n]
const [FIRST_AT, LAST_AT] = [-1, 8_640_000_000_000_000]
const at = (moment: EpochMs | undefined, otherwise: EpochMs): RangePosition => ({
  amount: 0n,
  at: moment ?? otherwise,
  id: '',
})

/** @param now ages are counted from this moment */
export function planOf(wanted: PlanOf, now: EpochMs): ListPlan {
  const modes: readonly Mode[] = wanted.mode === null ? ['test', 'live'] : [wanted.mode]
  const statuses = statusesOf(wanted)
  const canOrderByAmount =
    statuses === undefined && [wanted.deviceId, wanted.premisesCode, wanted.gatewayId].every((one) => one === undefined)
  const order = orderOf(wanted, canOrderByAmount)
  const ofTenant = (key: RangeKey, bounds: Pick<InvoiceRange, 'above' | 'below'>): InvoiceRange[] =>
    modes.map((mode) => ({ of: { tenantId: wanted.tenantId, mode }, key, ...bounds }))
  if (statuses !== undefined) {
    const ranges = statuses.flatMap((value) => {
      const [from, to] = spanOf(wanted, value, now)
      return ofTenant({ by: 'status', value }, { above: at(from, FIRST_AT), below: at(to, LAST_AT) })
    })
    return { ranges, match: matchOf(wanted, 'status'), order, canOrderByAmount }
  }
  if (order.by === 'amount') {
    const { from, to } = wanted.amount ?? {}
    const above = { amount: from ?? FIRST_AMOUNT, at: FIRST_AT, id: '' }
    const below = { amount: to ?? LAST_AMOUNT, at: LAST_AT, id: '' }
    const ranges = ofTenant({ by: 'amounts' }, { above, below })
    const match = { ...matchOf(wanted, 'amounts'), soldFrom: wanted.from, soldTo: wanted.to }
    return { ranges, match, order, canOrderByAmount }
  }
  const bounds = { above: at(wanted.from, FIRST_AT), below: at(wanted.to, LAST_AT) }
  const keys = keysOf(wanted)
  const [key] = keys
  return {
    ranges: keys.flatMap((one) => ofTenant(one, bounds)),
    match: matchOf(wanted, key?.by ?? 'all'),
    order,
    canOrderByAmount,
  }
}

/** The statuses that are read from the index of invoices without a JIR; undefined when all invoices are wanted. */
function statusesOf({ status, age, cause }: WantedInvoices): readonly UnconfirmedStatus[] | undefined {
  if (status === 'confirmed') return age === undefined && cause === undefined ? undefined : []
  if (status !== undefined) return STATUSES[status]
  if (age !== undefined) return age === 'too_late' ? ALL_WITHOUT_JIR : STATUSES.without_jir
  return cause === undefined ? undefined : ALL_WITHOUT_JIR
}

function orderOf({ order, amount, from, to }: PlanOf, canOrderByAmount: boolean): ListOrder {
  const byTime: ListOrder = { by: 'time', direction: order?.direction ?? 'descending' }
  if (!canOrderByAmount) return byTime
  if (order !== undefined) return order
  // Amounts from one to another are few among many sales; they stand side by side in the order of the amounts.
  const isWide = amount !== undefined && amount.from !== amount.to && from === undefined && to === undefined
  return isWide ? { by: 'amount', direction: 'descending' } : byTime
}

/** From which moment on, and before which one, invoices of a status were sold that are wanted. */
function spanOf({ age, from, to }: WantedInvoices, status: UnconfirmedStatus, now: EpochMs) {
  // An expired one is too late, whatever the clock says.
  const isAged = age !== undefined && status !== 'expired'
  const span = isAged ? ageSpans(now)[age] : { from: undefined, to: undefined }
  if (age !== undefined && age !== 'too_late' && status === 'expired') return [LAST_AT, FIRST_AT] as const
  const starts = [from, span.from].filter((moment) => moment !== undefined)
  const ends = [to, span.to].filter((moment) => moment !== undefined)
  return [
    starts.length === 0 ? undefined : Math.max(...starts),
    ends.length === 0 ? undefined : Math.min(...ends),
  ] as const
}

/** The narrowest index; several entries where it is one of companies. */
function keysOf(wanted: PlanOf): RangeKey[] {
  const { deviceId, premisesCode, gatewayId, amount, companyId, companyIds } = wanted
  if (deviceId !== undefined) return [{ by: 'device', value: deviceId }]
  if (premisesCode !== undefined) return [{ by: 'premises', value: premisesCode }]
  if (gatewayId !== undefined) return [{ by: 'gateway', value: gatewayId }]
  if (amount?.from !== undefined && amount.from === amount.to) return [{ by: 'amount', value: amount.from }]
  if (companyId !== undefined) return [{ by: 'company', value: companyId }]
  if (companyIds !== undefined && companyIds.length <= MOST_COMPANIES) {
    return companyIds.map((value) => ({ by: 'company', value }))
  }
  return [{ by: 'all' }]
}

/** Everything that the index of a kind leaves open. */
function matchOf(wanted: PlanOf, by: RangeKey['by']): RangeMatch {
  const { companyId, companyIds, premisesCode, deviceId, gatewayId, status, cause, payment, amount } = wanted
  const companies = companyId === undefined ? companyIds : among(companyId, companyIds)
  // The index is of companies that may be seen, unless none of them may.
  const isTold = by === 'company' && companies?.length !== 0
  const isOfAmounts = by === 'amount' || by === 'amounts'
  return {
    companyIds: isTold ? undefined : companies,
    deviceId: by === 'device' ? undefined : deviceId,
    premisesCode: by === 'premises' ? undefined : premisesCode,
    gatewayId: by === 'gateway' ? undefined : gatewayId,
    status: status === 'confirmed' ? status : undefined,
    errorCode: cause,
    paymentMethod: payment,
    amountFrom: isOfAmounts ? undefined : amount?.from,
    amountTo: isOfAmounts ? undefined : amount?.to,
  }
}

const among = (companyId: string, allowed: readonly string[] | undefined) =>
  allowed === undefined || allowed.includes(companyId) ? [companyId] : []

/** Whether entries have to be looked at that do not match. */
export const isExact = (match: RangeMatch): boolean => Object.values(match).every((value) => value === undefined)

/** `waiting`: those that are sent again by themselves; `without_jir`: all that can still get a JIR. */
export type WantedStatus = InvoiceStatus | 'waiting' | 'without_jir'

/** What a list of invoices is narrowed down to. Filters combine with AND; undefined fields do not filter. */
export interface WantedInvoices extends Span {
  mode: Mode | null
  status?: WantedStatus | undefined
  /** Only invoices without a JIR have an age. */
  age?: Age | undefined
  /** Why the last attempt failed; of invoices without a JIR. */
  cause?: FiscalErrorCode | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  deviceId?: string | undefined
  /** The name of a gateway. */
  gateway?: string | undefined
  payment?: PaymentMethod | undefined
  amount?: { from: Cents | undefined; to: Cents | undefined } | undefined
}

/** By the moment of the sale, which is also the order of the deadlines, or by amount. */
export interface ListOrder {
  by: 'time' | 'amount'
  direction: Direction
}
