import type { DashboardDeps, Pages } from '../page-routes.ts'
import { certificatePages } from './certificates.ts'
import { companyPages } from './detail.ts'
import { editCompanyPages } from './edit.ts'
import { companyListPage } from './list.ts'
import { logoPages } from './logo.ts'
import { companySettingsPages } from './settings.ts'

/** The issuers: who they are, what they sign with, and in which mode. */
export function allCompanyPages(pages: Pages, deps: DashboardDeps): void {
  companyListPage(pages, deps)
  editCompanyPages(pages, deps)
  const show = companyPages(pages, deps)
  certificatePages(pages, deps, show)
  logoPages(pages, deps, show)
  companySettingsPages(pages, deps)
}
