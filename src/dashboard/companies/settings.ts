import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { settingsPages } from '../settings/routes.ts'
import { changeCompany, companyOf } from './change.ts'
import { texts } from './texts.ts'

/** The configuration of a company, which holds for every device of it that has none of its own. */
export function companySettingsPages(pages: Pages, deps: Pick<DashboardDeps, 'v1' | 'office'>): void {
  settingsPages<CompanyFile>(pages, {
    path: '/companies/:id/settings',
    role: 'admin',
    key: 'fiscalConfig',
    find: (context) => companyOf(deps, context),
    levelsOf: ({ company }) => ({ own: company.fiscalConfig, above: null }),
    viewOf: (context, { company, gateway }) => {
      const t = texts[context.language]
      const path = `/dashboard/companies/${company.id}`
      return {
        title: t.settingsTitle(company.name),
        t,
        action: `${path}/settings`,
        back: path,
        mayChange: context.may('admin') && gateway === null,
        whyNot: gateway === null ? t.adminOnly : t.byGateway(gateway),
        note: null,
      }
    },
    change: (context, file, fiscalConfig, refused) =>
      changeCompany(deps, context, file, { changes: { fiscalConfig }, keys: ['fiscalConfig'], refused }),
  })
}
