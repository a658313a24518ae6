import { type ListedMachine, machineState } from '../../fiscal/machines/machine.ts'
import { monthOf } from '../../fiscal/machines/machine-sales.ts'
import { readFilter, revenueByMachine } from '../devices/filter.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { readinessOf, withoutJir } from './figures.ts'
import { RANGES, revenueChart, revenueFigures } from './revenue.ts'
import { tasksOf } from './tasks.ts'
import { texts } from './texts.ts'
import { legendOf, wallOf } from './wall.ts'

const MOST_TASKS = 6
const MOST_RANKED = 5
/** Fewer machines are seen in their list. */
const LEAST_ON_WALL = 2

export function overviewPages(pages: Pages, { office, now }: DashboardDeps): void {
  async function overviewOf(context: PageContext) {
    const { language, principal, query, f } = context
    const wanted = (['live', 'test'] as const).find((mode) => mode === query.mode)
    const overview = await office.overview.overview(principal, wanted)
    const alerts = await office.alerts.counts(principal)
    const month = monthOf(now())
    const machines = await office.machines.matching(principal, readFilter({}), month)
    const t = texts[language]
    const { mode, modes, at } = overview
    const range = RANGES.find((one) => one === query.range) ?? 'days'
    const revenue = await office.revenue.revenue(principal, mode)
    const tasks = tasksOf(overview, machines, alerts, { t, f, language })
    return {
      title: t.title,
      headline: 'overview/headline',
      shownMode: mode,
      ...{ t, at, mode, modes, wanted, range },
      readiness: readinessOf(machines, overview, t, f),
      isEmpty: machines.length === 0,
      wall: machines.length < LEAST_ON_WALL ? [] : wallOf(machines, t, context),
      legend: legendOf(machines, t, context),
      figures: [...revenueFigures(revenue, t, f), withoutJir(overview, t, f)],
      tasks: { first: tasks.slice(0, MOST_TASKS), others: tasks.slice(MOST_TASKS) },
      chart: revenueChart(revenue, mode, range, t, f),
      month: f.month(month),
      ranks: ranksOf(
        machines.filter(({ company }) => company.mode === mode),
        revenueByMachine(month),
      ),
    }
  }

  pages.get('', async (context) => context.show('overview/now', await overviewOf(context)))
  pages.get('/overview/now', async (context) =>
    context.fragment('overview/now', { ...(await overviewOf(context)), isPart: true }),
  )
}

/** What each company has sold this month, the machines that have sold most, and those that stopped last. */
function ranksOf(machines: readonly ListedMachine[], best: string) {
  const sumOf = (some: readonly ListedMachine[]) => some.reduce((cents, { month }) => cents + month.cents, 0n)
  const companies = [...Map.groupBy(machines, ({ company }) => company.id).values()].map((theirs) => {
    const [{ company } = {} as ListedMachine] = theirs
    return { name: company.name, href: `/dashboard/companies/${company.id}`, cents: sumOf(theirs) }
  })
  const dearest = <T>(some: T[], of: (one: T) => bigint) =>
    some.toSorted((one, other) => Number(of(other) - of(one))).slice(0, MOST_RANKED)
  return {
    best,
    companies: dearest(companies, ({ cents }) => cents),
    machines: dearest(
      machines.filter(({ month }) => month.cents > 0n),
      ({ month }) => month.cents,
    ),
    stopped: machines
      .filter((machine) => machineState(machine) === 'stopped')
      .toSorted((one, other) => (other.lastSaleAt ?? 0) - (one.lastSaleAt ?? 0))
      .slice(0, MOST_RANKED),
  }
}
