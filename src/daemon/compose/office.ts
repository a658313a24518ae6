import { type AccountUseCases, createAccounts } from '../../fiscal/access/accounts.ts'
import type { SessionDeps } from '../../fiscal/access/sessions.ts'
import { createExports, type ExportUseCases } from '../../fiscal/office/export.ts'
import { createFleet, type FleetDeps, type FleetUseCases } from '../../fiscal/office/fleet.ts'
import { createOverview, type OverviewDeps, type OverviewUseCases } from '../../fiscal/office/overview.ts'
import { createSearch, type SearchDeps, type SearchUseCases } from '../../fiscal/office/search.ts'
import type { Store } from '../../fiscal/ports/store.ts'

export interface OfficeDeps extends SessionDeps, FleetDeps, SearchDeps {
  store: Store
  overview: OverviewDeps
}

/** What the dashboard alone needs. */
export function composeOffice(deps: OfficeDeps): {
  accounts: AccountUseCases
  fleet: FleetUseCases
  overview: OverviewUseCases
  search: SearchUseCases
  exports: ExportUseCases
} {
  return {
    accounts: createAccounts(deps),
    fleet: createFleet(deps),
    overview: createOverview(deps.overview),
    search: createSearch(deps),
    exports: createExports(deps),
  }
}
