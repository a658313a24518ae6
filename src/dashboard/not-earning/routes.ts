import { formatMoney } from '../../domain/money.ts'
import { townOf } from '../../domain/premises/town.ts'
import { NOT_EARNING } from '../../fiscal/machines/machine.ts'
import type { IdleMachine } from '../../fiscal/machines/machines.ts'
import { momentCell } from '../../reports/tables/cells.ts'
import { MACHINES, machinesIn } from '../devices/filter.ts'
import { healthOf } from '../devices/health.ts'
import { healthTexts } from '../devices/health-texts.ts'
import { DOTS } from '../devices/list-columns.ts'
import { texts as deviceTexts } from '../devices/texts.ts'
import { inSlices, type List, showList } from '../lists/list.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

/** Of one reason; the list of machines has all. */
const MOST_SHOWN = 50

export function notEarningPage(pages: Pages, deps: DashboardDeps): void {
  pages.get('/not-earning', async (context) => showList(context, await notEarningList(deps, context)))
}

/** Which machines earn nothing, why, since when, and what that costs; those of which that is not known come last. */
export async function notEarningList({ office }: DashboardDeps, context: PageContext): Promise<List<IdleMachine>> {
  const { principal, language, query, f } = context
  const [t, d, h] = [texts[language], deviceTexts[language], healthTexts[language]]
  const all = await office.machines.notEarning(principal)
  const known = all.filter(({ state }) => state !== 'unknown')
  const money = (machines: readonly IdleMachine[]) => {
    const cents = machines.reduce((sum, { missed }) => sum + (missed?.cents ?? 0n), 0n)
    return cents === 0n ? '' : f.money(formatMoney(cents))
  }
  const groups = ([...NOT_EARNING, 'unknown'] as const)
    .map((state) => ({ state, machines: all.filter((one) => one.state === state) }))
    .filter(({ machines }) => machines.length > 0)
  const health = ({ machine }: IdleMachine) => healthOf(machine, language, f)
  const whyOf = (one: IdleMachine) => health(one).why ?? (one.machine.isSilent ? t.silent : '')
  const sumOf = (state: string, sum: string) => (state === 'unknown' && sum ? t.upTo(sum) : sum)
  return {
    title: t.title,
    path: '/dashboard/not-earning',
    query,
    count: known.length,
    about: known.length === 0 ? t.none : money(known) && t.about(money(known)),
    none: '',
    rows: all,
    all: () => inSlices(groups.flatMap(({ machines }) => machines)),
    file: 'not-earning',
    groups: groups.map(({ state, machines }) => ({
      href: machinesIn(state),
      title: `${h.states[state]}: ${f.count(machines.length)}`,
      about: t.states[state],
      sum: sumOf(state, money(machines)),
      rows: machines.slice(0, MOST_SHOWN),
      more: machines.length > MOST_SHOWN ? t.all : null,
    })),
    columns: [
      {
        title: d.label,
        cell: ({ machine }) => machine.device.label,
        page: ({ machine: { device }, state }) => ({
          text: device.label,
          href: `${MACHINES}/${device.id}`,
          dot: DOTS[state],
          more: townOf(device.premisesAddress) || device.premisesAddress,
        }),
        place: 'm1',
      },
      { title: d.address, cell: ({ machine }) => machine.device.premisesAddress },
      {
        title: t.why,
        cell: whyOf,
        // Where the cause is done away with.
        page: (one) => ({
          text: whyOf(one),
          href: health(one).href,
          phone: townOf(one.machine.device.premisesAddress),
        }),
        place: 'm2',
      },
      { title: t.todo, cell: (one) => health(one).todo },
      {
        title: t.lastSale,
        cell: ({ machine }) => momentCell(machine.lastSaleAt),
        page: ({ machine: { lastSaleAt } }) => (lastSaleAt === null ? d.never : f.ago(lastSaleAt)),
        place: 'c-state rank3',
      },
      {
        title: t.usual,
        cell: ({ missed }) => (missed === null ? null : { count: missed.salesPerWeek }),
        page: ({ missed }) => (missed === null ? '–' : t.perWeek(f.count(missed.salesPerWeek))),
        place: 'num rank3 c-pc',
      },
      { title: d.company, cell: ({ machine }) => machine.company.name, place: 'rank2 c-co' },
      { title: t.send, cell: ({ machine }) => machine.contact, place: 'm4 c-state' },
      {
        title: t.missed,
        cell: ({ missed }) => (missed?.cents ? { money: missed.cents } : null),
        page: ({ missed, state }) => (missed?.cents ? sumOf(state, f.money(formatMoney(missed.cents))) : '–'),
        place: 'num m3 c-pc',
      },
    ],
  }
}
