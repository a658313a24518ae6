import { setImmediate } from 'node:timers/promises'
import { type CalendarDate, dateAt, isoDate } from '../../domain/calendar-date.ts'
import {
  PART_KINDS,
  type PartKind,
  type PartLine,
  type TurnoverKey,
  type TurnoverLine,
} from '../../domain/sale/turnover.ts'
import { type Principal, requireMode, requireScope } from '../access/principal.ts'
import type { TurnoverColumn, TurnoverKind, TurnoverSums } from '../ports/rows/turnover.ts'
import type { Store } from '../ports/store.ts'
import { narrow } from '../sales/read-invoices.ts'
import type { ExportWanted, Grouping, Period, PeriodSums } from './exported.ts'
import { type Issuer, issuerOf, remembering } from './issuers.ts'
import { spansOf } from './turnover-spans.ts'

const KEY = ['companyId', 'paymentMethod', 'confirmed', 'refund'] as const satisfies TurnoverColumn[]
const OF_PART = ['kind', 'rate', 'name'] as const satisfies TurnoverColumn[]

type Stored = Pick<Store, 'companies' | 'devices' | 'reading'>

/** What is added up, and how it is written. */
interface Sums<Line> {
  kinds: readonly TurnoverKind[]
  apart: readonly TurnoverColumn[]
  lineOf(sums: TurnoverSums<TurnoverColumn>): Line
}

export const TOTALS: Sums<TurnoverLine> = {
  kinds: ['total'],
  apart: KEY,
  lineOf: ({ invoices, amount, ...sums }) => ({ ...keyOf(sums), invoices, total: amount }),
}

export const PARTS: Sums<PartLine> = {
  kinds: PART_KINDS,
  apart: [...KEY, ...OF_PART],
  lineOf: ({ kind, rate, name, invoices, base, tax, amount, ...sums }) => {
    const part = { kind: kind as PartKind, rate: rate || null, name: name || null }
    return { ...keyOf(sums), ...part, invoices, base, tax, amount }
  },
}

const keyOf = ({
  companyId,
  premisesCode = '',
  paymentMethod,
  confirmed,
  refund,
}: Omit<TurnoverKey, 'premisesCode'> & { premisesCode?: string }): TurnoverKey => ({
  companyId,
  premisesCode,
  paymentMethod,
  confirmed,
  refund,
})

/** As `ExportUseCases.totals` and `parts`; from the sums that are kept as sales are stored, a period at a time. */
export async function* sumsByPeriod<Line>(
  store: Stored,
  { kinds, apart, lineOf }: Sums<Line>,
  principal: Principal,
  wanted: ExportWanted,
  { period, per }: Grouping,
): AsyncGenerator<PeriodSums<Line>> {
  const filter = await filterOf(store, principal, wanted)
  if (!filter) return
  const columns = per === 'premises' ? [...apart, 'premisesCode' as const] : apart
  const companyOf = remembering((id) => issuerOf(store, id))
  const read = store.reading()
  const last = dateAt(wanted.to - 1)
  for (let from = dateAt(wanted.from); ; ) {
    const day = await read(({ turnover }) => turnover.firstDay({ ...filter, from: isoDate(from) }))
    if (day === null || day > isoDate(last)) return
    const { begins, next } = periodOf(day, period)
    const spans = spansOf(later(begins, from), earlier(next, dayAfter(last)))
    const sums = await read(({ turnover }) => turnover.sums({ ...filter, kinds, spans }, columns))
    const companies = new Map<string, Issuer>()
    for (const { companyId } of sums) {
      if (!companies.has(companyId)) companies.set(companyId, await companyOf(companyId))
    }
    if (sums.length > 0) yield { begins, companies, lines: sums.map(lineOf) }
    from = next
    await setImmediate()
  }
}

/** As `ExportUseCases.count`. */
export async function countOf(store: Stored, principal: Principal, wanted: ExportWanted): Promise<number> {
  const filter = await filterOf(store, principal, wanted)
  if (!filter) return 0
  const spans = spansOf(dateAt(wanted.from), dayAfter(dateAt(wanted.to - 1)))
  const [sum] = await store.reading()(({ turnover }) => turnover.sums({ ...filter, kinds: ['total'], spans }, []))
  return sum?.invoices ?? 0
}

/** Undefined when nothing can match. */
async function filterOf(store: Stored, principal: Principal, { mode, from: _from, to: _to, ...places }: ExportWanted) {
  requireScope(principal, 'invoices:read')
  requireMode(principal, mode, 'mode')
  const narrowed = await narrow(store, principal, places)
  if (!narrowed) return undefined
  const { companyId, premisesCode, deviceId } = narrowed
  const companyIds = companyId === undefined ? (principal.companyIds ?? undefined) : [companyId]
  return { tenantId: principal.tenantId, mode, companyIds, premisesCode, deviceId }
}

function periodOf(day: string, period: Period): { begins: CalendarDate; next: CalendarDate } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  if (period === 'day') return { begins: { year, month, date }, next: dayAfter({ year, month, date }) }
  return { begins: { year, month, date: 1 }, next: dateOf(year, month + 1, 1) }
}

const dayAfter = ({ year, month, date }: CalendarDate) => dateOf(year, month, date + 1)

function dateOf(year: number, month: number, date: number): CalendarDate {
  const utc = new Date(Date.UTC(year, month - 1, date))
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, date: utc.getUTCDate() }
}

const earlier = (one: CalendarDate, other: CalendarDate) => (isoDate(one) < isoDate(other) ? one : other)
const later = (one: CalendarDate, other: CalendarDate) => (isoDate(one) > isoDate(other) ? one : other)
