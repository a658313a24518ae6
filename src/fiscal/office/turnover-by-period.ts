import { setImmediate } from 'node:timers/promises'
import { type CalendarDate, dateAt, isoDate } from '../../domain/calendar-date.ts'
import { PART_KINDS, type Turnover } from '../../domain/sale/turnover.ts'
import { type Principal, requireMode, requireScope } from '../access/principal.ts'
import type { TurnoverColumn, TurnoverSums } from '../ports/rows/turnover.ts'
import type { Store } from '../ports/store.ts'
import { narrow } from '../sales/read-invoices.ts'
import type { ExportWanted, Period, PeriodTurnover } from './export.ts'
import { type Issuer, issuerOf, remembering } from './issuers.ts'
import { spansOf } from './turnover-spans.ts'

const APART = [
  ...(['companyId', 'premisesCode', 'paymentMethod', 'confirmed', 'refund', 'kind', 'rate', 'name'] as const),
] satisfies TurnoverColumn[]

/** As `ExportUseCases.turnover`; from the sums that are kept as sales are stored, a period at a time. */
export async function* turnoverByPeriod(
  store: Pick<Store, 'companies' | 'devices' | 'reading'>,
  principal: Principal,
  wanted: ExportWanted,
  period: Period,
): AsyncGenerator<PeriodTurnover> {
  requireScope(principal, 'invoices:read')
  const { mode, from: begin, to: end, ...places } = wanted
  requireMode(principal, mode, 'mode')
  const narrowed = await narrow(store, principal, places)
  if (!narrowed) return
  const { companyId, premisesCode, deviceId } = narrowed
  const companyIds = companyId === undefined ? (principal.companyIds ?? undefined) : [companyId]
  const of = { tenantId: principal.tenantId, mode }
  const filter = { ...of, kinds: ['total', ...PART_KINDS] as const, companyIds, premisesCode, deviceId }
  const companyOf = remembering((id) => issuerOf(store, id))
  const read = store.reading()
  const last = dateAt(end - 1)
  for (let from = dateAt(begin); ; ) {
    const day = await read(({ turnover }) => turnover.firstDay({ ...of, from: isoDate(from) }))
    if (day === null || day > isoDate(last)) return
    const { begins, next } = periodOf(day, period)
    const spans = spansOf(later(begins, from), earlier(next, dayAfter(last)))
    const sums = await read(({ turnover }) => turnover.sums({ ...filter, spans }, APART))
    const companies = new Map<string, Issuer>()
    for (const { companyId } of sums) {
      if (!companies.has(companyId)) companies.set(companyId, await companyOf(companyId))
    }
    if (sums.length > 0) yield { begins, companies, ...linesOf(sums) }
    from = next
    await setImmediate()
  }
}

function linesOf(sums: readonly TurnoverSums<(typeof APART)[number]>[]): Turnover {
  const lines: Turnover = { totals: [], parts: [] }
  for (const { kind, rate, name, base, tax, amount, ...line } of sums) {
    if (kind === 'total') lines.totals.push({ ...line, total: amount })
    else lines.parts.push({ ...line, kind, rate: rate || null, name: name || null, base, tax, amount })
  }
  return lines
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
