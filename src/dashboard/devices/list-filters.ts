import { MACHINE_STATES, NOT_EARNING, PAPERS } from '../../fiscal/machines/machine.ts'
import type { MachineChoices } from '../../fiscal/machines/machine-list.ts'
import { type Month, monthOf } from '../../fiscal/machines/machine-sales.ts'
import { keyOf } from '../../fiscal/machines/tags.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'
import type { Entry, ListFilter } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { byText } from '../sales-choices.ts'
import { monthText } from './addresses.ts'
import { NONE, NOT_EARNING_VIEW } from './filter.ts'
import { healthTexts } from './health-texts.ts'
import { texts } from './texts.ts'

/** A longer menu would be of no use. */
const MOST_ENTRIES = 200
/** Of the menu of months. */
const MONTHS = 24

/** What the list of machines can be narrowed down to, with how many machines there would be. */
export async function filtersOf(
  { office, now }: DashboardDeps,
  { principal, query, language, f, company }: PageContext,
  choices: MachineChoices,
): Promise<(ListFilter | false)[]> {
  const [t, h] = [texts[language], healthTexts[language]]
  const companies = await office.fleet.choices(principal)
  const tags = await office.machines.tags(principal)
  const countOf = (field: keyof MachineChoices, ...values: string[]) =>
    values.reduce((sum, value) => sum + (choices[field].get(value) ?? 0), 0)
  const entry = (field: keyof MachineChoices, value: string, text: string) => ({
    ...{ value, text },
    count: countOf(field, value),
  })
  /** The values that there are, by name. */
  const found = (field: 'town' | 'gateway', none: string) => {
    const named = [...choices[field].keys()].filter(Boolean).map((name) => entry(field, name, name))
    if (named.length === 0 || named.length > MOST_ENTRIES) return []
    return [...named.sort(byText), { value: NONE, text: none, count: countOf(field, '') }]
  }
  const of = (name: string, title: string, entries: readonly Entry[], all?: string): ListFilter => ({
    ...{ name, title, entries, value: query[name] },
    ...(all !== undefined && { all }),
  })
  return [
    of('state', t.orders.health, [
      { value: NOT_EARNING_VIEW, text: h.states[NOT_EARNING_VIEW], count: countOf('states', ...NOT_EARNING) },
      ...MACHINE_STATES.map((state) => entry('states', state, h.states[state])),
    ]),
    company === null &&
      companies.length > 1 &&
      of(
        'company',
        t.company,
        companies.map(({ company: { id, name } }) => entry('companyId', id, name)),
      ),
    of('town', t.town, found('town', t.noTown)),
    of(
      'tag',
      t.tag,
      tags.map((tag) => ({ value: tag, text: tag, count: countOf('tag', keyOf(tag)) })),
    ),
    of(
      'paper',
      t.orders.paper,
      PAPERS.flatMap((paper) => (paper === 'none' ? [] : [entry('papers', paper, h.papers[paper])])),
    ),
    of('gateway', t.orders.gateway, found('gateway', t.here)),
    of(
      'isu',
      t.isu,
      ISU_STATUSES.map((status) => entry('isuStatus', status, t.isuStates[status])),
    ),
    of(
      'status',
      t.status,
      [
        ...ACTIVE_STATUSES.map((status) => entry('statuses', status, t.statuses[status])),
        { value: 'all', text: t.statusAll, count: countOf('statuses', ...ACTIVE_STATUSES) },
      ],
      t.statusUsed,
    ),
    of(
      'month',
      t.month,
      monthsBefore(monthOf(now())).map((one) => ({ value: monthText(one), text: f.month(one) })),
      f.month(monthOf(now())),
    ),
  ]
}

/** The months before one, the latest first. */
export function monthsBefore({ year, month }: Month): Month[] {
  return Array.from({ length: MONTHS - 1 }, (_, back) => {
    const months = year * 12 + month - 2 - back
    return { year: Math.floor(months / 12), month: (months % 12) + 1 }
  })
}
