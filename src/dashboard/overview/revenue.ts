import { type CalendarDate, startOfDay } from '../../domain/calendar-date.ts'
import { type Cents, formatMoney } from '../../domain/money.ts'
import type { Compared, Revenue, Sold } from '../../fiscal/office/revenue.ts'
import { barChart } from '../charts/bars.ts'
import type { Formats } from '../formats.ts'
import type { OverviewTexts } from './texts.ts'
import type { Tile } from './tiles.ts'

/** What the chart of revenue shows: today by the hour, 30 days, or 12 months. */
export const RANGES = ['hours', 'days', 'months'] as const
export type Range = (typeof RANGES)[number]

const EVERY_HOURS = 6
const EVERY_DAYS = 7

const euros = (cents: Cents) => Number(cents) / 100
const moneyIn = (f: Formats) => (cents: Cents) => f.money(formatMoney(cents))

/** What was earned today and in this month, beside what was earned before. */
export function revenueTiles({ today, month }: Revenue, t: OverviewTexts, f: Formats): Tile[] {
  const money = moneyIn(f)
  const tile = (
    id: string,
    { now, before }: Compared,
    name: string,
    say: (change: string, before: string) => string,
  ) => {
    const change = before.amount > 0n ? f.change(euros(now.amount) / euros(before.amount) - 1) : ''
    const says = [t.revenue.sales(now.sales, f.count(now.sales)), say(change, money(before.amount)).trim()]
    return { id, kind: '' as const, href: null, name, figure: money(now.amount), says }
  }
  return [
    tile('tile-today', today, t.revenue.today, t.revenue.lastWeek),
    tile('tile-month', month, t.revenue.month, t.revenue.lastMonth),
  ]
}

interface Slot {
  name: string
  tick: string | null
  now: Sold | null
  before: Sold | null
}

/** The revenue of a range, drawn and as rows; the drawing is null when nothing was sold in it. */
export function revenueChart(revenue: Revenue, range: Range, t: OverviewTexts, f: Formats) {
  const money = moneyIn(f)
  const slots = slotsOf(revenue, range, f)
  const rows = slots.flatMap(({ name, now, before }) =>
    now === null
      ? []
      : [{ name, sales: f.count(now.sales), amount: money(now.amount), before: before && money(before.amount) }],
  )
  // Before its first sale nothing is known of a fleet: a gap, no zero.
  const first = slots.findIndex(({ now }) => now !== null && now.sales > 0)
  if (first === -1) return { svg: null, rows }
  const bars = slots.map(({ name, tick, now, before }, i) => ({
    tick,
    says: before
      ? t.revenue.saysBoth(name, now === null ? '–' : money(now.amount), money(before.amount))
      : `${name}: ${money(now?.amount ?? 0n)}`,
    value: now === null || (i < first && range !== 'hours') ? null : euros(now.amount),
    before: before && before.sales > 0 ? euros(before.amount) : null,
  }))
  const total = slots.reduce((sum, { now }) => sum + (now?.amount ?? 0n), 0n)
  const text = {
    id: 'revenue-chart',
    title: t.revenue.chart[range],
    summary: t.revenue.summary(money(total)),
    axis: f.euros,
  }
  return { svg: barChart(text, bars), rows }
}

function slotsOf({ hours, days, months }: Revenue, range: Range, f: Formats): Slot[] {
  if (range === 'hours') {
    return hours.map(({ at, now, before }, i) => {
      const name = f.clock(at)
      return { name, tick: i % EVERY_HOURS === 0 ? name : null, now, before }
    })
  }
  const [all, every] = range === 'days' ? [days, EVERY_DAYS] : [months, 1]
  return all.map(({ begins, ...now }, i) => ({
    name: range === 'days' ? f.date(startOfDay(begins)) : monthOf(begins),
    // Counted from the end: today has its label.
    tick: (all.length - 1 - i) % every === 0 ? shortOf(begins, range) : null,
    now,
    before: null,
  }))
}

const monthOf = ({ year, month }: CalendarDate) => `${month}/${year}`
const shortOf = ({ month, date }: CalendarDate, range: Range) => (range === 'days' ? `${date}. ${month}.` : `${month}.`)
