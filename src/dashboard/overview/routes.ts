import { type CalendarDate, startOfDay } from '../../domain/calendar-date.ts'
import { type Cents, formatMoney } from '../../domain/money.ts'
import { AGES } from '../../domain/sale/invoice-age.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import type { Compared, Revenue, Sold } from '../../fiscal/office/revenue.ts'
import type { HourOfAnswers, HourOfSales } from '../../fiscal/office/sales-figures.ts'
import { barChart, comparedChart } from '../charts/bars.ts'
import { lineChart } from '../charts/lines.ts'
import type { Formats } from '../formats.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { tasksOf } from './tasks.ts'
import { type OverviewTexts, texts } from './texts.ts'
import { type Tile, tilesOf } from './tiles.ts'

const MOST_COMPANIES = 8

/** Whether everything can sell, what to do if not, and the figures behind it. */
export function overviewPages(pages: Pages, { office }: DashboardDeps): void {
  async function overviewOf(context: PageContext) {
    const { language, principal, query, f } = context
    const wanted = (['live', 'test'] as const).find((mode) => mode === query.mode)
    const [overview, alerts] = [
      await office.overview.overview(principal, wanted),
      await office.alerts.counts(principal),
    ]
    const t = texts[language]
    const { mode, modes, at, sales, certificates } = overview
    const range = RANGES.find((one) => one === query.range) ?? 'days'
    const revenue = await office.revenue.revenue(principal, mode)
    return {
      title: t.title,
      shownMode: mode,
      t,
      at,
      mode,
      modes,
      wanted,
      now: {
        readiness: readinessOf(overview, t, f),
        tasks: tasksOf(overview, alerts, { t, f, language }),
        tiles: [...revenueTiles(revenue, t, f), ...tilesOf(overview, alerts, t, f)],
      },
      more: {
        range,
        revenue: revenueChart(revenue, range, t, f),
        ages: AGES.map((age) => ({ age, name: t.ageNames[age], count: sales.ages[age] })),
        sales: salesChart(sales.hours, t, f),
        answers: answersChart(sales.answers, t, f),
        certificates: certificates.slice(0, MOST_COMPANIES),
        moreCertificates: Math.max(0, certificates.length - MOST_COMPANIES),
      },
    }
  }

  pages.get('', async (context) => context.show('overview/page', await overviewOf(context)))
  pages.get('/overview/now', async (context) => context.fragment('overview/now', await overviewOf(context)))
  pages.get('/overview/more', async (context) => context.fragment('overview/more', await overviewOf(context)))
}

/** The hour as people say it; a day begins with its date. */
function tickOf(at: number, f: Formats, every: number): string | null {
  const hour = Number.parseInt(f.clock(at), 10) % 24
  if (hour === 0)
    return f
      .date(at)
      .replace(/[ /]*\d{4}\.?$/, '')
      .replaceAll(' ', '')
  return hour % every === 0 ? String(hour) : null
}

/** Drawn and as rows, as the other chart; the drawing is null when there is nothing to draw. */
function salesChart(hours: readonly HourOfSales[], t: OverviewTexts, f: Formats) {
  const rows = hours.map(({ at, sold, confirmed }) => ({
    time: f.time(at),
    sold: f.count(sold),
    confirmed: f.count(confirmed),
  }))
  const most = hours.reduce((top, hour) => (hour.sold > top.sold ? hour : top), { at: 0, sold: 0 })
  if (most.sold === 0) return { svg: null, rows }
  const total = (key: 'sold' | 'confirmed') => hours.reduce((sum, hour) => sum + hour[key], 0)
  const [sold, confirmed] = [total('sold'), f.count(total('confirmed'))]
  const summary = t.hours.summary(sold, f.count(sold), confirmed, f.count(most.sold), f.time(most.at))
  const bars = hours.map(({ at, sold, confirmed }) => ({
    tick: tickOf(at, f, 6),
    whole: sold,
    part: confirmed,
    says: t.hours.says(f.clock(at), f.count(sold), f.count(confirmed)),
  }))
  return { svg: barChart({ id: 'sales-chart', title: t.hours.chart, summary, axis: f.count }, bars), rows }
}

function answersChart(hours: readonly HourOfAnswers[], t: OverviewTexts, f: Formats) {
  const time = (ms: number | null) => (ms === null ? '' : `${f.count(ms)} ms`)
  const rows = hours
    .filter(({ messages }) => messages > 0)
    .map(({ at, messages, answered, medianMs, p95Ms }) => ({
      time: f.time(at),
      median: time(medianMs),
      p95: time(p95Ms),
      unanswered: f.percent((messages - answered) / messages),
    }))
  const last = hours.findLast(({ answered }) => answered > 0)
  if (last === undefined) return { svg: null, rows }
  const summary = t.answers.summary(time(last.medianMs), time(last.p95Ms))
  const points = hours.map(({ at, medianMs, p95Ms }) => ({
    tick: tickOf(at, f, 4),
    values: [medianMs, p95Ms],
    says: t.answers.says(f.clock(at), time(medianMs), time(p95Ms)),
  }))
  return { svg: lineChart({ id: 'answers-chart', title: t.answers.chart, summary, axis: time }, points), rows }
}

/** What the chart of revenue shows: today by the hour, 30 days, or 12 months. */
const RANGES = ['hours', 'days', 'months'] as const
type Range = (typeof RANGES)[number]

const EVERY_HOURS = 6
const EVERY_DAYS = 7

const euros = (cents: Cents) => Number(cents) / 100
const moneyIn = (f: Formats) => (cents: Cents) => f.money(formatMoney(cents))

/** What was earned today and in this month, beside what was earned before. */
function revenueTiles({ today, month }: Revenue, t: OverviewTexts, f: Formats): Tile[] {
  const money = moneyIn(f)
  const tile = (
    id: string,
    { now, before }: Compared,
    name: string,
    say: (change: string, before: string) => string,
  ) => {
    const change = before.amount > 0n ? f.change(euros(now.amount) / euros(before.amount) - 1) : ''
    const says = [t.revenue.sales(now.sales, f.count(now.sales)), say(change, money(before.amount)).trim()]
    return { id, kind: '' as const, isFine: false, href: null, name, figure: money(now.amount), says }
  }
  return [
    tile('tile-today', today, t.revenue.today, t.revenue.lastWeek),
    tile('tile-month', month, t.revenue.month, t.revenue.lastMonth),
  ]
}

/** The revenue of a range, drawn and as rows; the drawing is null when nothing was sold in it. */
function revenueChart(revenue: Revenue, range: Range, t: OverviewTexts, f: Formats) {
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
  return { svg: comparedChart(text, bars), rows }
}

function slotsOf(
  { hours, days, months }: Revenue,
  range: Range,
  f: Formats,
): { name: string; tick: string | null; now: Sold | null; before: Sold | null }[] {
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

/** Can everything sell right now? */
export function readinessOf({ own, gateways, authority }: Overview, t: OverviewTexts, f: Formats) {
  const { total, able } = own.devices
  // One that was revoked, has left or was never set up is not meant to sell.
  const meant = (gateways ?? []).filter(({ state }) => ['connected', 'silent', 'duplicated'].includes(state))
  const selling = meant.filter(({ gateway, state }) => state === 'connected' && gateway.heartbeat?.can_sell === true)
  const silent = meant.filter(({ state }) => state === 'silent')
  const away = authority && !authority.health.reachable ? [authority.closedByTimetable ? t.closed : t.away] : []
  // What has to be known beside it.
  const notes = [...(silent.length > 0 ? [t.readiness.unknown] : []), ...(able + selling.length > 0 ? away : [])]
  const told = (kind: 'ok' | 'warn' | 'bad' | 'plain', ...texts: string[]) => ({
    kind,
    text: texts.join(' '),
    notes,
  })
  if (total === 0 && meant.length === 0) return told(own.problems.length > 0 ? 'warn' : 'plain', t.readiness.nothing)
  if (able === total && selling.length === meant.length && own.problems.length === 0) return told('ok', t.readiness.all)
  if (able === 0 && selling.length === 0 && silent.length === 0) return told('bad', t.readiness.none)
  return told(
    'warn',
    ...(meant.length > 0 ? [t.readiness.gateways(f.count(selling.length), f.count(meant.length))] : []),
    ...(total > 0 ? [t.readiness.some(f.count(able), f.count(total))] : []),
  )
}
