import { monthsFrom } from '../../domain/calendar-date.ts'
import { MACHINE_STATES, NOT_EARNING, PAPERS } from '../../fiscal/machines/machine.ts'
import type { MachineChoices } from '../../fiscal/machines/machine-list.ts'
import { type Month, monthOf } from '../../fiscal/machines/machine-sales.ts'
import { keyOf } from '../../fiscal/machines/tags.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'
import { byText } from '../company-choices.ts'
import type { ListFilter } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { monthText, NONE, NOT_EARNING_VIEW } from './filter.ts'
import { healthTexts } from './health-texts.ts'
import { texts } from './texts.ts'

/** A longer menu would be of no use. */
const MOST_ENTRIES = 200
const MONTHS = 24

/** What the list of machines can be narrowed down to, with how many machines there would be. */
export async function filtersOf(
  deps: DashboardDeps,
  { principal, language, f, company }: PageContext,
  choices: MachineChoices,
): Promise<(ListFilter | false)[]> {
  const [t, h] = [texts[language], healthTexts[language]]
  const { office } = deps
  const companies = await office.fleet.choices(principal)
  const tags = await office.machines.tags(principal)
  const names = Object.fromEntries(companies.map((one) => [one.company.id, one.company.name]))
  const sumOf = (field: keyof MachineChoices, ...values: readonly string[]) =>
    values.reduce((sum, value) => sum + (choices[field].get(value) ?? 0), 0)
  const entries = (field: keyof MachineChoices, values: readonly string[], names: Record<string, string> = {}) =>
    values.map((value) => ({ value, text: names[value] ?? value, count: sumOf(field, value) }))
  const found = (field: 'town' | 'gateway', none: string) => {
    const named = entries(field, [...choices[field].keys()].filter(Boolean)).sort(byText)
    if (named.length === 0 || named.length > MOST_ENTRIES) return []
    return [...named, { value: NONE, text: none, count: sumOf(field, '') }]
  }
  const now = monthOf(deps.now())
  return [
    {
      name: 'state',
      title: t.orders.health,
      entries: [
        { value: NOT_EARNING_VIEW, text: h.states[NOT_EARNING_VIEW], count: sumOf('states', ...NOT_EARNING) },
        ...entries('states', MACHINE_STATES, h.states),
      ],
    },
    company === null &&
      companies.length > 1 && {
        name: 'company',
        title: t.company,
        entries: entries('companyId', Object.keys(names), names),
      },
    { name: 'town', title: t.town, entries: found('town', t.noTown) },
    {
      name: 'tag',
      title: t.tag,
      entries: tags.map((tag) => ({ value: tag, text: tag, count: sumOf('tag', keyOf(tag)) })),
    },
    { name: 'paper', title: t.orders.paper, entries: entries('papers', PAPERS.slice(1), h.papers) },
    { name: 'gateway', title: t.orders.gateway, entries: found('gateway', t.here) },
    { name: 'isu', title: t.isu, entries: entries('isuStatus', ISU_STATUSES, t.isuStates) },
    {
      ...{ name: 'status', title: t.status, all: t.statusUsed },
      entries: [
        ...entries('statuses', ACTIVE_STATUSES, t.statuses),
        { value: 'all', text: t.statusAll, count: sumOf('statuses', ...ACTIVE_STATUSES) },
      ],
    },
    {
      ...{ name: 'month', title: t.month, all: f.month(now) },
      entries: monthsBefore(now).map((one) => ({ value: monthText(one), text: f.month(one) })),
    },
  ]
}

/** The months before one, the latest first. */
export const monthsBefore = (month: Month): Month[] =>
  Array.from({ length: MONTHS - 1 }, (_, back) => monthsFrom({ ...month, date: 1 }, -1 - back))
