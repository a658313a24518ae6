import { setImmediate } from 'node:timers/promises'
import {
  type CalendarDate,
  dateAt,
  dateOfIso,
  daysFrom,
  isoDate,
  monthsFrom,
  startOfDay,
} from '../../domain/calendar-date.ts'
import { periodAfter, periodAt } from '../../domain/sale/closing-period.ts'
import { INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import {
  PART_KINDS,
  type PartKind,
  type PartLine,
  type Turnover,
  type TurnoverKey,
  type TurnoverLine,
  TurnoverSum,
} from '../../domain/sale/turnover.ts'
import { TAX_NAME_LENGTH } from '../../domain/text-lengths.ts'
import { cutText } from '../../domain/texts/cut-text.ts'
import { type Principal, requireMode, requireScope } from '../access/principal.ts'
import type {
  TurnoverColumn,
  TurnoverFilter,
  TurnoverKind,
  TurnoverSpan,
  TurnoverSums,
} from '../ports/rows/turnover.ts'
import type { Store } from '../ports/store.ts'
import { narrow } from '../sales/read-invoices.ts'
import { type ExportWanted, type Grouping, issuedInSlices, type Period, type PeriodSums } from './exported.ts'
import { type Issuer, issuerOf, remembering } from './issuers.ts'

const KEY = ['companyId', 'paymentMethod', 'refund'] as const satisfies TurnoverColumn[]
const OF_PART = ['kind', 'rate', 'name'] as const satisfies TurnoverColumn[]

type Stored = Pick<Store, 'companies' | 'devices' | 'lookups' | 'turnover'>

/** What is added up, and how it is written. */
interface Sums<Line> {
  kinds: readonly TurnoverKind[]
  /** What tells them apart, beside the premises. */
  columns: readonly TurnoverColumn[]
  /** Of sums of all invoices. */
  lineOf(sums: TurnoverSums<TurnoverColumn>): Line
  linesOf(turnover: Turnover): Line[]
  less(line: Line, other: Line): Line
}

export const TOTALS: Sums<TurnoverLine> = {
  kinds: ['total'],
  columns: KEY,
  lineOf: ({ invoices, amount, ...sums }) => ({ ...keyOf(sums), invoices, total: amount }),
  linesOf: ({ totals }) => totals,
  less: (line, { invoices, total }) => ({ ...line, invoices: line.invoices - invoices, total: line.total - total }),
}

export const PARTS: Sums<PartLine> = {
  kinds: PART_KINDS,
  columns: [...KEY, ...OF_PART],
  lineOf: ({ kind, rate, name, invoices, base, tax, amount, ...sums }) => {
    const part = { kind: kind as PartKind, rate: rate || null, name: name || null }
    return { ...keyOf(sums), ...part, invoices, base, tax, amount }
  },
  linesOf: ({ parts }) => parts.map((part) => ({ ...part, name: part.name && keptName(part.name) })),
  less: (line, { invoices, base, tax, amount }) => ({
    ...line,
    invoices: line.invoices - invoices,
    base: line.base - base,
    tax: line.tax - tax,
    amount: line.amount - amount,
  }),
}

/** The kept sums have no longer names (`turnover-statements.ts`). */
const keptName = (name: string) => cutText(name, TAX_NAME_LENGTH)

type Sold = Omit<TurnoverKey, 'confirmed' | 'premisesCode'> & { premisesCode?: string }
const keyOf = ({ companyId, premisesCode = '', paymentMethod, refund }: Sold): TurnoverKey => {
  return { companyId, premisesCode, paymentMethod, confirmed: true, refund }
}

/** The lines with a JIR are those of all invoices less those without. */
function withAndWithout<Line extends TurnoverKey & { invoices: number }>(
  { less }: Pick<Sums<Line>, 'less'>,
  all: readonly Line[],
  lacking: readonly Line[],
): Line[] {
  const confirmed = new Map(all.map((line) => [idOf(line), line]))
  for (const line of lacking) {
    const sum = confirmed.get(idOf(line))
    if (sum) confirmed.set(idOf(line), less(sum, line))
  }
  return [...[...confirmed.values()].filter(({ invoices }) => invoices > 0), ...lacking]
}

function idOf(line: TurnoverKey & Partial<Pick<PartLine, 'kind' | 'rate' | 'name'>>): string {
  const { companyId, premisesCode, paymentMethod, refund, kind, rate, name } = line
  return JSON.stringify([companyId, premisesCode, paymentMethod, refund, kind, rate, name])
}

/**
 * As `ExportUseCases.totals` and `parts`, a period at a time: from the sums that are kept as sales are stored, so that no
 * invoice is read but those without a JIR. These are read first: what gets its JIR meanwhile is still without one.
 */
export async function* sumsByPeriod<Line extends TurnoverKey & { invoices: number }>(
  store: Stored,
  sums: Sums<Line>,
  principal: Principal,
  wanted: ExportWanted,
  { period, per }: Grouping,
): AsyncGenerator<PeriodSums<Line>> {
  const filter = await filterOf(store, principal, wanted)
  if (!filter) return
  const { kinds, columns, lineOf, linesOf } = sums
  const apart = per === 'premises' ? [...columns, 'premisesCode' as const] : columns
  const companyOf = remembering((id) => issuerOf(store, id))
  const end = daysFrom(dateAt(wanted.to - 1), 1)
  for (let from = dateAt(wanted.from); ; ) {
    const day = await store.turnover.firstDay({ ...filter, from: isoDate(from) })
    if (day === null || day >= isoDate(end)) return
    const { begins, next } = periodOf(day, period)
    const [first, to] = [later(begins, from), earlier(next, end)]
    const lacking = linesOf(await sumsWithoutJir(store, filter, [first, to], per))
    const spans = spansOf(first, to)
    const all = await store.turnover.sums({ ...filter, kinds, spans }, apart)
    const lines = withAndWithout(sums, all.map(lineOf), lacking)
    const companies = new Map<string, Issuer>()
    for (const { companyId } of lines) {
      if (!companies.has(companyId)) companies.set(companyId, await companyOf(companyId))
    }
    if (lines.length > 0) yield { begins, companies, lines }
    from = next
    await setImmediate()
  }
}

/** As `ExportUseCases.count`. */
export async function countOf(store: Stored, principal: Principal, wanted: ExportWanted): Promise<number> {
  const filter = await filterOf(store, principal, wanted)
  if (!filter) return 0
  const spans = spansOf(dateAt(wanted.from), daysFrom(dateAt(wanted.to - 1), 1))
  const [sum] = await store.turnover.sums({ ...filter, kinds: ['total'], spans }, [])
  return sum?.invoices ?? 0
}

/** Undefined when nothing can match. */
async function filterOf(store: Stored, principal: Principal, { mode, from: _from, to: _to, ...filter }: ExportWanted) {
  requireScope(principal, 'invoices:read')
  requireMode(principal, mode, 'mode')
  const narrowed = await narrow(store, principal, filter)
  if (!narrowed) return undefined
  const { companyId, premisesCode, deviceId } = narrowed
  const companyIds = companyId === undefined ? (principal.companyIds ?? undefined) : [companyId]
  const deviceIds = deviceId === undefined ? undefined : [deviceId]
  return { tenantId: principal.tenantId, mode, companyIds, premisesCode, deviceIds }
}

/** The day or month that a day lies in, and the first day after it. */
function periodOf(day: string, unit: Period): { begins: CalendarDate; next: CalendarDate } {
  const within = periodAt(unit, dateOfIso(day))
  return { begins: dateOfIso(within.starts), next: dateOfIso(periodAfter(within).starts) }
}

const earlier = (one: CalendarDate, other: CalendarDate) => (isoDate(one) < isoDate(other) ? one : other)
const later = (one: CalendarDate, other: CalendarDate) => (isoDate(one) > isoDate(other) ? one : other)

type SumFilter = Pick<TurnoverFilter, 'tenantId' | 'mode' | 'companyIds' | 'premisesCode' | 'deviceIds'>

const WITHOUT_JIR = INVOICE_STATUSES.filter((status) => status !== 'confirmed')

/** Adds up the invoices of some days that have no JIR. @param to not included @param per a company has no premises then */
async function sumsWithoutJir(
  store: Pick<Store, 'lookups'>,
  { tenantId, mode, companyIds, premisesCode, deviceIds }: SumFilter,
  [from, to]: [from: CalendarDate, to: CalendarDate],
  per: 'premises' | 'company',
): Promise<Turnover> {
  const sum = new TurnoverSum()
  for (const status of WITHOUT_JIR) {
    const filter = { tenantId, mode, status, from: startOfDay(from), to: startOfDay(to) }
    for await (const rows of issuedInSlices(store, filter)) {
      for (const { companyId, document, ...invoice } of rows) {
        const isWanted =
          (companyIds?.includes(companyId) ?? true) &&
          (premisesCode === undefined || premisesCode === document.premisesCode) &&
          (deviceIds?.includes(invoice.deviceId) ?? true)
        if (isWanted) sum.add(companyId, per === 'premises' ? document : { ...document, premisesCode: '' }, false)
      }
    }
  }
  return sum.sums()
}

/** The fewest rows for a range of days: whole months where there are any, and the days around them. */
export function spansOf(from: CalendarDate, to: CalendarDate): TurnoverSpan[] {
  const firstMonth = from.date === 1 ? from : monthsFrom(from, 1)
  const lastMonth = monthsFrom(to, 0)
  const [begin, end] = [isoDate(from), isoDate(to)]
  const [months, rest] = [isoDate(firstMonth), isoDate(lastMonth)]
  if (months >= rest) return begin < end ? [{ unit: 'day', from: begin, to: end }] : []
  const spans: TurnoverSpan[] = [
    { unit: 'day', from: begin, to: months },
    { unit: 'month', from: months, to: rest },
    { unit: 'day', from: rest, to: end },
  ]
  return spans.filter((span) => span.from < span.to)
}
