import { formatMoney } from '../../domain/money.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { type ListedMachine, MACHINE_STATES, type MachineState, PAPERS } from '../../fiscal/machines/machine.ts'
import { MACHINE_COLUMNS, type MachineOrder } from '../../fiscal/machines/machine-list.ts'
import { type Month, monthOf } from '../../fiscal/machines/machine-sales.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'
import { addressOf, listFiles } from '../addresses.ts'
import { choiceOf } from '../jobs/choice.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { savedViewsOf } from '../saved-views/bar.ts'
import { sortedHeading } from '../sorted-heading.ts'
import { MACHINES, machinesIn, monthText, readMonth, revenueByMachine } from './addresses.ts'
import { NO_GATEWAY, NOT_EARNING_VIEW, oneOf, readFilter } from './filter.ts'
import { healthOf, paperOf } from './health.ts'
import { healthTexts } from './health-texts.ts'
import { texts } from './texts.ts'

/** Of the menu of gateways. */
const MOST_CHOICES = 200
/** Of the menu of months. */
const MONTHS = 24

/** All machines of the fleet; a platform administrator can ask for the devices of all tenants. */
export function deviceListPage(pages: Pages, deps: DashboardDeps): void {
  const { office } = deps

  pages.get('/devices', async (context) => {
    const { principal, query, language, f } = context
    if (query.all === '1' && context.user.isPlatformAdmin) return allTenantsPage(deps, context)
    const t = texts[language]
    const order = readOrder(query.sort)
    const month = readMonth(query.month) ?? monthOf(deps.now())
    const wanted = { month, page: Number(query.page) || 1 }
    const found = await office.machines.list(principal, readFilter(query), order, wanted)
    const companies = await office.fleet.choices(principal)
    const tags = await office.machines.tags(principal)
    const { page: _page, notice: _notice, ...kept } = query
    const at = (page: number) => addressOf(MACHINES, { ...kept, page: page === 1 ? undefined : String(page) })
    const { page, pages, total } = found
    return context.show('devices/list', {
      t,
      query,
      total,
      choice: choiceOf(context, {
        works: ['active', 'suspended', 'archived', 'tag', 'untag', 'settings'],
        filter: addressOf('', { ...kept, sort: undefined, month: undefined }).slice(1),
        matching: { count: total, isAll: true },
      }),
      files: listFiles('devices', { ...kept, sort: undefined }),
      rows: found.machines.map((machine) => rowOf(machine, context)),
      heading: (by: MachineOrder['by']) =>
        sortedHeading(
          { ...t.orders, revenue_today: t.today, revenue_month: f.month(month) }[by],
          by,
          order,
          (_by, direction) => addressOf(MACHINES, { ...kept, sort: sortOf({ by, direction }) }),
          HIGHEST_FIRST.includes(by) ? 'descending' : 'ascending',
        ),
      choices: {
        tags: tags.length === 0 ? null : tags.map((tag) => ({ value: tag, text: tag })),
        companies: companies.map(({ company }) => ({ value: company.id, text: company.name })),
        gateways:
          found.gateways.length === 0 || found.gateways.length > MOST_CHOICES
            ? null
            : [{ value: NO_GATEWAY, text: t.here }, ...found.gateways.map((name) => ({ value: name, text: name }))],
        months: monthsBefore(monthOf(deps.now())).map((one) => ({ value: monthText(one), text: f.month(one) })),
        states: [NOT_EARNING_VIEW, ...MACHINE_STATES].map((value) => ({
          value,
          text: healthTexts[language].states[value as MachineState],
        })),
        papers: PAPERS.filter((value) => value !== 'none').map((value) => ({
          value,
          text: healthTexts[language].papers[value],
        })),
        statuses: [
          ...ACTIVE_STATUSES.map((value) => ({ value, text: t.statuses[value] })),
          { value: 'all', text: t.statusAll },
        ],
        isuStates: ISU_STATUSES.map((value) => ({ value, text: t.isuStates[value] })),
      },
      shortcuts: [
        { href: machinesIn(NOT_EARNING_VIEW), text: healthTexts[language].states[NOT_EARNING_VIEW] },
        { href: revenueByMachine(monthsBefore(monthOf(deps.now()))[1] ?? month), text: t.lastMonth },
      ],
      savedViews: await savedViewsOf(deps, context, 'devices'),
      sort: sortOf(order),
      month: monthText(month),
      isFiltered: Object.keys(kept).some((name) => name !== 'sort' && name !== 'month' && kept[name] !== ''),
      place: pages > 1 ? t.pageOf(page, pages) : null,
      first: page > 1 ? at(1) : null,
      previous: page > 1 ? at(page - 1) : null,
      next: page < pages ? at(page + 1) : null,
      last: page < pages ? at(pages) : null,
    })
  })
}

/** That month and those before it, the latest first. */
function monthsBefore({ year, month }: Month): Month[] {
  return Array.from({ length: MONTHS }, (_, back) => {
    const months = year * 12 + month - 1 - back
    return { year: Math.floor(months / 12), month: (months % 12) + 1 }
  })
}

function readOrder(sort = ''): MachineOrder {
  const by = oneOf(MACHINE_COLUMNS, sort.replace(/^-/, ''))
  if (by === undefined) return { by: 'health', direction: 'ascending' }
  return { by, direction: sort.startsWith('-') ? 'descending' : 'ascending' }
}

const sortOf = ({ by, direction }: MachineOrder) => `${direction === 'descending' ? '-' : ''}${by}`

/** The columns of which the highest comes first when somebody orders by them. */
const HIGHEST_FIRST: readonly MachineOrder['by'][] = ['last_sale', 'revenue_today', 'revenue_month', 'waiting']

function rowOf(machine: ListedMachine, { language, f }: PageContext) {
  return {
    ...machine,
    health: healthOf(machine, language, f),
    paper: paperOf(machine, healthTexts[language]),
    revenue: { today: formatMoney(machine.today.cents), month: formatMoney(machine.month.cents) },
  }
}

/** The devices of all tenants, for a platform administrator; the use case writes into the audit log that they were read. */
async function allTenantsPage({ office }: DashboardDeps, context: PageContext) {
  const { principal, query, language } = context
  const t = texts[language]
  const filter = { text: query.q?.trim() || undefined, allTenants: true }
  const slice = readSlice('devices', { cursor: query.cursor })
  const { items, next } = await office.fleet.listDevices(principal, filter, slice)
  const here = (cursor?: string) => addressOf('/dashboard/devices', { all: '1', q: query.q, cursor })
  return context.show('devices/all-tenants', {
    t,
    query,
    rows: items.map((row) => ({ ...row, isOurs: row.device.tenantId === principal.tenantId })),
    next: next && here(writeCursor('devices', next)),
    first: query.cursor ? here() : null,
  })
}
