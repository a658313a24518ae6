import { AGES } from '../../domain/sale/invoice-age.ts'
import { createFormats } from '../formats.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { answersChart, salesChart } from './charts.ts'
import { RANGES, revenueChart, revenueTiles } from './revenue.ts'
import { readinessOf } from './sales-readiness.ts'
import { tasksOf } from './tasks.ts'
import { texts } from './texts.ts'
import { tilesOf } from './tiles.ts'

type Deps = Pick<DashboardDeps, 'office' | 'now'>

const MOST_COMPANIES = 8

/** Whether everything can sell, what to do if not, and the figures behind it. */
export function overviewPages(pages: Pages, { office, now }: Deps): void {
  const formats = createFormats(now)

  async function overviewOf(context: PageContext) {
    const { language, principal, query } = context
    const wanted = (['live', 'test'] as const).find((mode) => mode === query.mode)
    const [overview, alerts] = [
      await office.overview.overview(principal, wanted),
      await office.alerts.counts(principal),
    ]
    const [t, f] = [texts[language], formats(language)]
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
