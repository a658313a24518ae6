import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { readinessOf } from './readiness.ts'
import { RANGES, revenueChart, revenueTiles } from './revenue.ts'
import { tasksOf } from './tasks.ts'
import { texts } from './texts.ts'
import { waitingTiles } from './tiles.ts'

/** How many machines sell, what to do about the others, and what was earned. */
export function overviewPages(pages: Pages, { office }: DashboardDeps): void {
  async function overviewOf(context: PageContext) {
    const { language, principal, query, f } = context
    const wanted = (['live', 'test'] as const).find((mode) => mode === query.mode)
    const overview = await office.overview.overview(principal, wanted)
    const alerts = await office.alerts.counts(principal)
    const machines = await office.machines.counts(principal)
    const t = texts[language]
    const { mode, modes, at } = overview
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
        readiness: readinessOf(machines, overview, t, f),
        tasks: tasksOf(overview, machines, alerts, { t, f, language }),
        tiles: [...revenueTiles(revenue, t, f), ...waitingTiles(overview, t, f)],
      },
      more: { range, revenue: revenueChart(revenue, range, t, f) },
    }
  }

  pages.get('', async (context) => context.show('overview/page', await overviewOf(context)))
  pages.get('/overview/now', async (context) => context.fragment('overview/now', await overviewOf(context)))
  pages.get('/overview/more', async (context) => context.fragment('overview/more', await overviewOf(context)))
}
