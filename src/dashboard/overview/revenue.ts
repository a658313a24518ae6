import { isoDate, startOfDay } from '../../domain/calendar-date.ts'
import { type Cents, formatMoney } from '../../domain/money.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Compared, Revenue, Sold } from '../../fiscal/office/revenue.ts'
import { addressOf } from '../addresses.ts'
import { type Bar, barCharts, DAYS_ON_PHONE } from '../charts/bars.ts'
import type { Formats } from '../formats.ts'
import type { Figure } from './figures.ts'
import type { OverviewTexts } from './texts.ts'

export const RANGES = ['hours', 'days', 'months'] as const
export type Range = (typeof RANGES)[number]

const EVERY_HOURS = 6

const euros = (cents: Cents) => Number(cents) / 100
const moneyIn = (f: Formats) => (cents: Cents) => f.money(formatMoney(cents))

/** What was earned today and in this month, and the invoices of today, beside what was before. */
export function revenueFigures({ at, today, month }: Revenue, t: OverviewTexts, f: Formats): Figure[] {
  const money = moneyIn(f)
  const r = t.revenue
  const figure = (name: string, value: string, share: number | null, than: string): Figure => ({
    ...{ name, value, than, parts: [] },
    change: share === null ? '' : f.change(share - 1),
  })
  const shareOf = ({ now, before }: Compared) => (before.amount > 0n ? euros(now.amount) / euros(before.amount) : null)
  const clock = f.clock(at)
  const beforeToday = `${r.thanLastWeek(clock)} (${money(today.before.amount)})`
  const beforeMonth = `${r.thanLastMonth} (${money(month.before.amount)})`
  const before = today.before.sales
  const sales = before > 0 ? today.now.sales / before : null
  return [
    figure(r.today, money(today.now.amount), shareOf(today), beforeToday),
    figure(r.month, money(month.now.amount), shareOf(month), beforeMonth),
    figure(r.salesToday, f.count(today.now.sales), sales, `${r.thanLastWeek(clock)} (${f.count(before)})`),
  ]
}

interface Place extends Omit<Bar, 'says' | 'value' | 'before'> {
  name: string
  now: Sold | null
  before: Cents | null
}

/** The revenue of a range, drawn for a desk and for a phone, and as rows; the drawings are null when nothing was sold in it. */
export function revenueChart(revenue: Revenue, mode: Mode, range: Range, t: OverviewTexts, f: Formats) {
  const money = moneyIn(f)
  const places = placesOf(revenue, mode, range, f)
  const rows = places.flatMap(({ name, now, before }) =>
    now === null
      ? []
      : [{ name, sales: f.count(now.sales), amount: money(now.amount), before: before === null ? '' : money(before) }],
  )
  // Before its first sale nothing is known of a fleet: a gap, no zero.
  const first = places.findIndex(({ now }) => now !== null && now.sales > 0)
  if (first === -1) return { svg: null, phone: null, rows }
  const bars = places.map(({ name, now, before, ...place }, i): Bar => {
    const says = `${name}: ${now === null ? '–' : money(now.amount)}`
    return {
      ...place,
      says: before === null ? says : t.revenue.saysBoth[range === 'hours' ? 'hours' : 'days'](says, money(before)),
      value: now === null || (i < first && range !== 'hours') ? null : euros(now.amount),
      before: before === null ? null : euros(before),
    }
  })
  const total = places.reduce((sum, { now }) => sum + (now?.amount ?? 0n), 0n)
  const summary = t.revenue.summary(money(total))
  const text = { id: 'revenue', title: t.revenue.chart[range], summary, axis: f.euros }
  return { ...barCharts(text, bars, range === 'days' ? DAYS_ON_PHONE : bars.length), rows }
}

function placesOf({ hours, days, months, at }: Revenue, mode: Mode, range: Range, f: Formats): Place[] {
  const none = { href: null, isShaded: false }
  if (range === 'hours') {
    return hours.map(({ at: hour, now, before }, i) => {
      const [name, isUnfinished] = [f.clock(hour), hour <= at && at < hour + 3_600_000]
      const tick = i % EVERY_HOURS === 0 ? name : null
      return { ...none, name, tick, now, before: before.sales > 0 ? before.amount : null, isUnfinished }
    })
  }
  if (range === 'months') {
    return months.map(({ begins, ...now }, i) => {
      const isUnfinished = i === months.length - 1
      return { ...none, name: f.month(begins), tick: `${begins.month}.`, now, before: null, isUnfinished }
    })
  }
  return days.map(({ begins, usual, ...now }, i) => {
    const day = isoDate(begins)
    const weekday = new Date(day).getUTCDay()
    return {
      ...{ name: f.day(startOfDay(begins)), now, before: usual, isUnfinished: i === days.length - 1 },
      // Mondays have a label.
      tick: weekday === 1 ? f.day(startOfDay(begins)) : null,
      href: addressOf('/dashboard/invoices', { mode, from: day, to: day }),
      isShaded: weekday === 0 || weekday === 6,
    }
  })
}
