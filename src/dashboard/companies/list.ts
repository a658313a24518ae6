import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { ACTIVE_STATUSES } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { certificateBadge } from './certificate-view.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/companies'

/** The companies of the tenant; a platform administrator can ask for those of all tenants. */
export function companyListPage(pages: Pages, { v1, admin, role }: DashboardDeps): void {
  pages.get('/companies', async (context) => {
    const { principal, query, language } = context
    const t = texts[language]
    const all = query.all === '1' && context.user.isPlatformAdmin
    const status = ACTIVE_STATUSES.find((one) => one === query.status)
    const slice = readSlice('companies', { cursor: query.cursor })
    const { items, next } = await v1.listCompanies(principal, { status, allTenants: all }, slice)
    const certificateOf = await v1.companyCertificates(items.map(({ id }) => id))
    const gateways = role === 'server' ? await admin.gateways.listGateways(principal) : []
    const names = new Map(gateways.map(({ gateway: { id, name } }) => [id, name]))
    const { cursor: _cursor, notice: _notice, ...kept } = query
    return context.show('companies/list', {
      title: t.title,
      t,
      query,
      all,
      isFiltered: status !== undefined,
      rows: items.map((company) => ({
        company,
        isOurs: company.tenantId === principal.tenantId,
        gateway: names.get(company.gatewayId) ?? null,
        certificate: certificateBadge(certificateOf(company.id), language),
      })),
      statuses: ACTIVE_STATUSES.map((value) => ({ value, text: t.statuses[value] })),
      next: next && addressOf(HERE, { ...kept, cursor: writeCursor('companies', next) }),
      first: query.cursor ? addressOf(HERE, kept) : null,
    })
  })
}
