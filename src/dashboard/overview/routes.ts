import { AGES } from '../../domain/sale/invoice-age.ts'
import type { HourOfAnswers, HourOfSales } from '../../fiscal/office/sales-figures.ts'
import { barChart } from '../charts/bars.ts'
import { lineChart } from '../charts/lines.ts'
import type { Formats } from '../formats.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { RANGES, revenueChart, revenueTiles } from './revenue.ts'
import { readinessOf } from './sales-readiness.ts'
import { tasksOf } from './tasks.ts'
import { type OverviewTexts, texts } from './texts.ts'
import { tilesOf } from './tiles.ts'

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
