import { readSlice, writeCursor } from '../../fiscal/list-page.ts'
import { ACTIVE_STATUSES, type Company } from '../../fiscal/ports/model.ts'
import { stateCell } from '../lists/cells.ts'
import { cursorPager, entriesOf, type List } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { certificateBadge } from './certificate-view.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/companies'
const KINDS = { active: 'ok', suspended: 'warn', archived: 'plain' } as const

/** The companies of the tenant; a platform administrator can ask for those of all tenants. */
export async function companyList({ v1, admin, role }: DashboardDeps, context: PageContext): Promise<List<Company>> {
  const { principal, query, language, user } = context
  const t = texts[language]
  const allTenants = query.all === '1' && user.isPlatformAdmin
  const status = ACTIVE_STATUSES.find((one) => one === query.status)
  const { items, next } = await v1.listCompanies(principal, { status, allTenants }, readSlice('companies', query))
  const certificateOf = await v1.companyCertificates(items.map(({ id }) => id))
  const gateways = role === 'server' ? await admin.gateways.listGateways(principal) : []
  const names = new Map(gateways.map(({ gateway: { id, name } }) => [id, name]))
  const certificate = ({ id }: Company) => certificateBadge(certificateOf(id), language)
  return {
    title: t.title,
    path: HERE,
    query,
    about: allTenants ? t.allTenantsHint : undefined,
    none: status ? t.noneFiltered : t.none,
    rows: items,
    file: 'companies',
    columns: [
      {
        title: t.name,
        cell: ({ name }) => name,
        page: ({ id, name, tenantId, gatewayId }) => ({
          text: name,
          href: tenantId === principal.tenantId ? `${HERE}/${id}` : null,
          more: names.has(gatewayId) ? t.gateway(String(names.get(gatewayId))) : null,
        }),
        place: 'm1',
      },
      { title: t.oib, cell: ({ oib }) => oib, place: 'm2 c-pc' },
      { title: t.mode, cell: ({ mode }) => t.modes[mode], place: 'm3 c-state' },
      {
        title: t.status,
        cell: (company) => t.statuses[company.status],
        page: (company) => stateCell({ kind: KINDS[company.status], text: t.statuses[company.status] }),
        place: 'm4 c-state',
      },
      {
        title: t.certificate,
        cell: (company) => certificate(company).text,
        page: (company) => stateCell(certificate(company)),
        place: 'rank2 c-who',
      },
    ],
    filters: [
      {
        name: 'status',
        title: t.status,
        entries: entriesOf(ACTIVE_STATUSES, t.statuses),
      },
    ],
    links: [
      user.isPlatformAdmin &&
        (allTenants ? { href: HERE, text: t.ownTenant } : { href: `${HERE}?all=1`, text: t.allTenants }),
    ],
    add: context.may('admin') && user.companyIds === null && !allTenants && { href: `${HERE}/new`, text: t.add },
    pager: cursorPager(HERE, query, next && writeCursor('companies', next)),
  }
}
