import { formatMoney } from '../../domain/money.ts'
import type { MachineHistory, SoldInPeriod } from '../../fiscal/machines/machine-sales.ts'
import { barChart } from '../charts/bars.ts'
import type { Formats } from '../formats.ts'
import type { texts } from './texts.ts'

interface Period {
  name: string
  revenue: string
  sales: string
}

interface RevenueChart {
  title: string
  /** Null when nothing was sold. */
  svg: string | null
  /** The same as a table, the latest first. */
  rows: Period[]
}

/** The revenue of a machine by day and by month. */
export function revenueCharts(history: MachineHistory, t: (typeof texts)['hr'], f: Formats): RevenueChart[] {
  const draw = (
    id: string,
    title: string,
    periods: readonly SoldInPeriod[],
    nameOf: (one: SoldInPeriod) => string,
    tickOf: (one: SoldInPeriod) => string | null,
  ) => {
    const rows = periods.map((period) => ({
      name: nameOf(period),
      revenue: f.money(formatMoney(period.cents)),
      sales: t.sales(period.sales, f.count(period.sales)),
    }))
    const total = f.money(formatMoney(periods.reduce((sum, { cents }) => sum + cents, 0n)))
    const text = { id, title, summary: t.chartSummary(total), axis: (euros: number) => f.count(euros) }
    const bars = periods.map((period, i) => {
      // More was paid back than sold: the table says so.
      const euros = Math.max(0, Number(period.cents) / 100)
      const { name, revenue, sales } = rows[i] as Period
      return { tick: tickOf(period), says: `${name}: ${revenue}, ${sales}`, whole: euros, part: euros }
    })
    const hasSales = periods.some(({ sales }) => sales > 0)
    return { title, svg: hasSales ? barChart(text, bars) : null, rows: rows.toReversed() }
  }
  const dateOf = ({ starts }: SoldInPeriod) => f.date(Date.parse(`${starts}T12:00:00Z`))
  const monthOf = ({ starts }: SoldInPeriod) => ({
    year: Number(starts.slice(0, 4)),
    month: Number(starts.slice(5, 7)),
  })
  const dayTick = ({ starts }: SoldInPeriod) =>
    Number(starts.slice(8)) % 5 === 0 ? String(Number(starts.slice(8))) : null
  return [
    draw('revenue-days', t.daysTitle, history.days, dateOf, dayTick),
    draw(
      'revenue-months',
      t.monthsTitle,
      history.months,
      (one) => f.month(monthOf(one)),
      ({ starts }) => String(Number(starts.slice(5, 7))),
    ),
  ]
}
