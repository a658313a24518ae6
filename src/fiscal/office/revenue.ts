import { setImmediate } from 'node:timers/promises'
import {
  type CalendarDate,
  dateAt,
  daysFrom,
  isoDate,
  momentOn,
  monthsFrom,
  normalDate,
  startOfDay,
} from '../../domain/calendar-date.ts'
import { type EpochMs, HOUR_MS } from '../../domain/instant.ts'
import type { Cents } from '../../domain/money.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { zagrebClock } from '../../domain/zagreb.ts'
import { limitKey, type Principal, requireMode, requireScope } from '../access/principal.ts'
import { cachingFor, EARLIER_LASTS_MS, EARLIER_USABLE_MS } from '../cached-results.ts'
import type { Clock } from '../ports/clock.ts'
import type { SalesOf } from '../ports/rows/sales.ts'
import type { TurnoverSpan } from '../ports/rows/turnover.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { spansOf } from './sums-by-period.ts'

/** What was sold, with and without a JIR: refunds lower the amount, and are no sales. */
export interface Sold {
  sales: number
  amount: Cents
}

/** A period, and the earlier one to compare it with. */
export interface Compared {
  now: Sold
  before: Sold
}

export interface SoldIn extends Sold {
  begins: CalendarDate
}

/** The money of one tenant in one mode, in days of Zagreb; of the companies that the principal reaches. */
export interface Revenue {
  at: EpochMs
  /** Today until now, and the same weekday of last week until the same hour and minute. */
  today: Compared
  /** This month including today, and the last month up to the same day (or its last one). */
  month: Compared
  /** The hours of today, the first at midnight; those to come have null. `before`: of the same weekday last week. */
  hours: { at: EpochMs; now: Sold | null; before: Sold }[]
  /**
   * The last 30 days, the oldest first, today as the last; those without sales have zeros. `usual`: what the same weekday
   * brought in each of the four weeks before, on average; null where the fleet has not sold for so long.
   */
  days: (SoldIn & { usual: Cents | null })[]
  /** The last 12 months, as `days`. */
  months: SoldIn[]
}

const TODAY_LASTS_MS = 10_000
const HOURS_AT_ONCE = 3
const DAYS = 30
const WEEKS_BEFORE = 4
const MONTHS = 12

type Rows = Pick<StoreTransaction, 'figures' | 'turnover'>

export function createRevenue({ store, clock }: { store: Rows; clock: Clock }) {
  const ofToday = cachingFor<Revenue>(clock, TODAY_LASTS_MS)
  const ofHistory = cachingFor<History>(clock, EARLIER_LASTS_MS, EARLIER_USABLE_MS)
  const ofHours = cachingFor<Hours>(clock, EARLIER_LASTS_MS, EARLIER_USABLE_MS)
  return {
    /**
     * Cached: this hour for up to ten seconds, what is before it for five minutes, and for an hour while it is read
     * anew.
     * @throws FiskError `insufficient_scope`, `mode_mismatch`
     */
    async revenue(principal: Principal, mode: Mode): Promise<Revenue> {
      requireScope(principal, 'invoices:read')
      requireMode(principal, mode, 'mode')
      const { tenantId, companyIds } = principal
      const of = { tenantId, mode, companyIds }
      const key = JSON.stringify([tenantId, limitKey(principal), mode])
      return ofToday(key, async () => {
        const at = clock.now()
        const today = dateAt(at)
        const history = await ofHistory(`${key} ${isoDate(today)}`, () => historyOf(store, of, today))
        const [start, hour] = [startOfDay(today), Math.floor(at / HOUR_MS) * HOUR_MS]
        const hours = await ofHours(`${key} ${hour}`, () => byHour(store, of, start, hour))
        return revenueOf(at, history, await dayOf(store, of, history, hours, at))
      })
    },
  }
}

/** What does not change any more, but for sales that gateways report late. */
interface History {
  /** With those that the first of 30 days is compared with. */
  days: SoldIn[]
  months: SoldIn[]
  lastMonth: Sold
  /** The hours of the same weekday last week. */
  hours: Hours
}

type Hours = ReadonlyMap<EpochMs, Sold>

async function historyOf(rows: Rows, of: SalesOf, today: CalendarDate): Promise<History> {
  const firstDay = daysFrom(today, 1 - DAYS - WEEKS_BEFORE * 7)
  const firstMonth = monthsFrom(today, 1 - MONTHS)
  const lastMonth = monthsFrom(today, -1)
  const sameDay = daysFrom({ ...lastMonth, date: Math.min(today.date, lengthOf(lastMonth)) }, 1)
  return {
    days: await soldBy(rows, of, 'day', everyDay(firstDay, daysFrom(today, -1))),
    months: await soldBy(rows, of, 'month', everyMonth(firstMonth, lastMonth)),
    lastMonth: added(await read(rows, of, spansOf(lastMonth, sameDay))),
    hours: await byHour(rows, of, startOfDay(daysFrom(today, -7)), startOfDay(daysFrom(today, -6))),
  }
}

interface Today {
  hours: Hours
  month: Sold
  /** The same weekday last week, until the same hour and minute. */
  before: Sold
}

/** @param before the hours of today before this one */
async function dayOf(rows: Rows, of: SalesOf, { hours }: History, before: Hours, at: EpochMs): Promise<Today> {
  const today = dateAt(at)
  const until = momentOn(daysFrom(today, -7), zagrebClock(at))
  const whole = [...hours].filter(([hour]) => hour + HOUR_MS <= until).map(([, sold]) => sold)
  const partly = await byHour(rows, of, Math.floor(until / HOUR_MS) * HOUR_MS, until)
  return {
    hours: new Map([...before, ...(await byHour(rows, of, Math.floor(at / HOUR_MS) * HOUR_MS, at + 1))]),
    month: added(
      await read(rows, of, [{ unit: 'month', from: isoDate(monthsFrom(today, 0)), to: isoDate(monthsFrom(today, 1)) }]),
    ),
    before: added([...whole, ...partly.values()]),
  }
}

function revenueOf(at: EpochMs, history: History, day: Today): Revenue {
  const today = dateAt(at)
  const start = startOfDay(today)
  const soFar = added(day.hours.values())
  // By the wall clock: a day on which clocks change has an hour less, or one of them twice.
  const before = [...history.hours].map(([hour, sold]) => ({ shows: zagrebClock(hour).getUTCHours(), sold }))
  const hours = Math.round((startOfDay(daysFrom(today, 1)) - start) / HOUR_MS)
  return {
    at,
    today: { now: soFar, before: day.before },
    month: { now: day.month, before: history.lastMonth },
    hours: Array.from({ length: hours }, (_, i) => {
      const hour = start + i * HOUR_MS
      const shown = zagrebClock(hour).getUTCHours()
      const same = before.flatMap(({ shows, sold }) => (shows === shown ? [sold] : []))
      const now = hour > at ? null : (day.hours.get(hour) ?? NOTHING)
      return { at: hour, now, before: added(same) }
    }),
    days: withUsual([...history.days, { begins: today, ...soFar }]),
    months: [...history.months, { begins: monthsFrom(today, 0), ...day.month }],
  }
}

function withUsual(days: readonly SoldIn[]): Revenue['days'] {
  const first = days.findIndex(({ sales }) => sales > 0)
  return days.slice(-DAYS).map((day, i) => {
    const at = days.length - DAYS + i
    const same = Array.from({ length: WEEKS_BEFORE }, (_, week) => at - 7 * (week + 1)).filter(
      (one) => first >= 0 && one >= first,
    )
    const sum = same.reduce((cents, one) => cents + (days[one]?.amount ?? 0n), 0n)
    return { ...day, usual: same.length < WEEKS_BEFORE ? null : sum / BigInt(WEEKS_BEFORE) }
  })
}

const NOTHING: Sold = { sales: 0, amount: 0n }

const added = (all: Iterable<Sold>): Sold => {
  let sum = NOTHING
  for (const one of all) sum = { sales: sum.sales + one.sales, amount: sum.amount + one.amount }
  return sum
}

async function byHour(rows: Rows, of: SalesOf, from: EpochMs, to: EpochMs): Promise<Hours> {
  const found = new Map<EpochMs, Sold>()
  for (let at = from; at < to; at += HOURS_AT_ONCE * HOUR_MS) {
    const end = Math.min(to, at + HOURS_AT_ONCE * HOUR_MS)
    for (const { at: hour, ...sold } of await rows.figures.revenueByHour(of, { from: at, to: end })) {
      found.set(hour, sold)
    }
    await setImmediate()
  }
  return found
}

/** A query for each period: in one query a sale would wait for all of them. */
async function soldBy(rows: Rows, of: SalesOf, unit: TurnoverSpan['unit'], periods: CalendarDate[]) {
  const found: SoldIn[] = []
  for (const begins of periods) {
    const next = unit === 'day' ? daysFrom(begins, 1) : monthsFrom(begins, 1)
    found.push({ begins, ...added(await read(rows, of, [{ unit, from: isoDate(begins), to: isoDate(next) }])) })
  }
  return found
}

async function read(rows: Rows, of: SalesOf, spans: TurnoverSpan[]): Promise<Sold[]> {
  const { tenantId, mode, companyIds } = of
  const filter = { tenantId, mode, spans, kinds: ['total' as const], companyIds: companyIds ?? undefined }
  const sums = await rows.turnover.sums(filter, ['refund'])
  await setImmediate()
  return sums.map(({ refund, invoices, amount }) => ({ sales: refund ? 0 : invoices, amount }))
}

const lengthOf = ({ year, month }: CalendarDate) => normalDate({ year, month: month + 1, date: 0 }).date

function* every(from: CalendarDate, to: CalendarDate, next: (date: CalendarDate) => CalendarDate) {
  for (let date = from; isoDate(date) <= isoDate(to); date = next(date)) yield date
}
const everyDay = (from: CalendarDate, to: CalendarDate) => [...every(from, to, (date) => daysFrom(date, 1))]
const everyMonth = (from: CalendarDate, to: CalendarDate) => [...every(from, to, (date) => monthsFrom(date, 1))]
