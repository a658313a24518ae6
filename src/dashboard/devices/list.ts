import { readSlice, writeCursor } from '../../fiscal/list-page.ts'
import type { ListedMachine } from '../../fiscal/machines/machine.ts'
import { MACHINE_COLUMNS, type MachineOrder } from '../../fiscal/machines/machine-list.ts'
import { monthOf } from '../../fiscal/machines/machine-sales.ts'
import type { ListedDevice } from '../../fiscal/office/fleet.ts'
import { addressOf } from '../addresses.ts'
import { choiceOf } from '../jobs/choice.ts'
import { cursorPager, inSlices, type List, showList } from '../lists/list.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { savedViewsOf, viewQuery } from '../saved-views/bar.ts'
import { MACHINES, NOT_EARNING_VIEW, oneOf, readFilter, readMonth, revenueByMachine } from './filter.ts'
import { healthTexts } from './health-texts.ts'
import { columnsOf } from './list-columns.ts'
import { filtersOf, monthsBefore } from './list-filters.ts'
import { texts } from './texts.ts'

export function deviceListPage(pages: Pages, deps: DashboardDeps): void {
  pages.get('/devices', async (context) =>
    context.query.all === '1' && context.user.isPlatformAdmin
      ? allTenantsPage(deps, context)
      : showList(context, await deviceList(deps, context)),
  )
}

export async function deviceList(deps: DashboardDeps, context: PageContext): Promise<List<ListedMachine>> {
  const { office } = deps
  const { principal, query, language, f } = context
  const t = texts[language]
  const order = readOrder(query.sort)
  const now = monthOf(deps.now())
  const month = readMonth(query.month) ?? now
  const savedViews = await savedViewsOf(deps, context, 'devices')
  const ownTabs: Record<string, string>[] = [{}, { state: NOT_EARNING_VIEW }, { state: 'unknown' }]
  const others = [...ownTabs, ...savedViews.views.map((view) => view.query)].map(readFilter)
  const found = await office.machines.list(principal, readFilter(query), order, {
    ...{ month, page: Number(query.page) || 1, others },
  })
  const { page, pages, total, counts, days } = found
  const present = viewQuery({ ...query, sort: '', month: '' })
  const at = (wanted: number) =>
    addressOf(MACHINES, { ...query, notice: undefined, page: wanted === 1 ? undefined : String(wanted) })
  const mayChoose = context.may('operator')
  const isuTasks = { href: '/dashboard/devices/isu', text: t.isuTasks }
  const lastMonth = revenueByMachine(monthsBefore(now)[0] ?? now)
  return {
    title: t.title,
    path: MACHINES,
    query,
    count: total,
    caption: t.found(total, f.count(total)),
    none: t.none,
    rows: found.machines,
    all: () => inSlices(found.all),
    file: 'devices',
    columns: columnsOf(context, month, days),
    tabs: [
      ...ownTabs.map((tab, i) => ({
        text: tab.state ? healthTexts[language].tabs[tab.state as 'unknown'] : t.allOfThem,
        href: addressOf(MACHINES, tab),
        count: counts[i],
        isPresent: present === viewQuery(tab) && query.month === undefined,
      })),
      { text: t.lastMonth, href: lastMonth, isPresent: lastMonth === addressOf(MACHINES, query) },
    ],
    savedViews: {
      ...savedViews,
      views: savedViews.views.map((view, i) => ({ ...view, count: counts[ownTabs.length + i] })),
    },
    search: { name: 'q', label: t.searchHint },
    filters: await filtersOf(deps, context, found.choices),
    order: { ...order, write: (by, direction) => ({ sort: `${direction === 'descending' ? '-' : ''}${by}` }) },
    choice: mayChoose && {
      ...choiceOf(context, {
        works: ['tag', 'settings', 'suspended', 'untag', 'active', 'archived'],
        filter: viewQuery({ ...query, sort: '', month: '' }),
        matching: { count: total, isAll: true },
      }),
      of: ({ device: { id, label } }) => ({ id, name: label }),
    },
    links: [
      mayChoose && isuTasks,
      mayChoose && { href: '/dashboard/devices/import', text: t.importMany },
      context.user.isPlatformAdmin && { href: `${MACHINES}?all=1`, text: t.allTenants },
    ],
    // The next step for machines without a number is to enter them.
    add: mayChoose && (query.state === 'isu' ? isuTasks : { href: '/dashboard/devices/new', text: t.add }),
    pager: {
      place: pages > 1 ? t.pageOf(page, pages) : null,
      first: page > 1 ? at(1) : null,
      previous: page > 1 ? at(page - 1) : null,
      next: page < pages ? at(page + 1) : null,
      last: page < pages ? at(pages) : null,
    },
  }
}

function readOrder(sort = ''): MachineOrder {
  const by = oneOf(MACHINE_COLUMNS, sort.replace(/^-/, ''))
  if (by === undefined) return { by: 'health', direction: 'ascending' }
  return { by, direction: sort.startsWith('-') ? 'descending' : 'ascending' }
}

/** The devices of all tenants, for a platform administrator; the use case writes into the audit log that they were read. */
async function allTenantsPage({ office }: DashboardDeps, context: PageContext) {
  const { principal, query, language } = context
  const t = texts[language]
  const filter = { text: query.q?.trim() || undefined, allTenants: true }
  const { items, next } = await office.fleet.listDevices(principal, filter, readSlice('devices', query))
  const list: List<ListedDevice> = {
    title: t.title,
    path: MACHINES,
    query,
    about: t.allTenantsHint,
    caption: t.captionOldest,
    none: t.none,
    rows: items,
    columns: [
      {
        title: t.label,
        page: ({ device, gateway }) => ({
          text: device.label,
          href: device.tenantId === principal.tenantId ? `${MACHINES}/${device.id}` : null,
          more: gateway && t.gateway(gateway),
        }),
        place: 'm1',
      },
      { title: t.company, page: ({ companyName }) => companyName, place: 'm2 c-co' },
      {
        title: t.premises,
        page: ({ device }) => ({ text: device.premisesCode, more: device.premisesAddress }),
        place: '',
      },
      { title: t.isu, page: ({ device }) => device.isuNumber ?? t.isuStates[device.isuStatus], place: 'm3 c-no' },
      { title: t.status, page: ({ device }) => t.statuses[device.status], place: 'm4 c-state' },
    ],
    search: { name: 'q', label: t.searchHint },
    links: [{ href: MACHINES, text: t.ownTenant }],
    pager: cursorPager(MACHINES, query, next && writeCursor('devices', next)),
  }
  return showList(context, list)
}
