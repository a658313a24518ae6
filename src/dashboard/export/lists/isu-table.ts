import { byPremises, PORTAL_COLUMNS, type PortalRow, portalRow } from '../../../domain/premises/portal-sheet.ts'
import type { ListedDevice } from '../../../fiscal/office/fleet.ts'
import { type Table, tableOf } from '../../../reports/tables/cells.ts'
import { inPages, inSlices } from '../../lists/list.ts'
import type { DashboardDeps, PageContext } from '../../page-routes.ts'

/** What ePorezna asks for each machine that waits for an ISU number, by premises. */
export async function isuTable(deps: DashboardDeps, context: PageContext): Promise<Table> {
  const wanted = { status: 'active', isuStatus: 'pending', allTenants: false } as const
  const portalOf = await portalRows(deps, context)
  const rows: PortalRow[] = []
  const { listDevices } = deps.office.fleet
  for await (const page of inPages((slice) => listDevices(context.principal, wanted, slice)))
    rows.push(...page.map(portalOf))
  const columns = PORTAL_COLUMNS.map((title) => ({ title, width: 20, cell: (row: PortalRow) => row[title] }))
  return tableOf('ISU', columns, inSlices(rows.sort(byPremises)))
}

export async function portalRows({ office, now }: DashboardDeps, { principal }: Pick<PageContext, 'principal'>) {
  const owned = await office.fleet.choices(principal)
  const companies = new Map(owned.map(({ company }) => [company.id, company] as const))
  return ({ device }: ListedDevice) =>
    portalRow(device, companies.get(device.companyId) ?? { oib: '', fiscalConfig: {} }, now())
}
