import { dateAt, isoDate } from '../../../domain/calendar-date.ts'
import type { Table } from '../../../reports/tables/cells.ts'
import type { DashboardDeps, PageContext, PageOptions, Pages } from '../../page-routes.ts'
import type { FileGiving } from '../give-file.ts'
import { csvFile, type GivenFile, xlsxFile } from '../given-file.ts'
import { alertTable } from './alert-table.ts'
import { auditTable } from './audit-table.ts'
import { deviceTable } from './device-table.ts'
import { texts } from './texts.ts'

type Deps = Pick<DashboardDeps, 'admin' | 'office' | 'now'>

interface List {
  tableOf(deps: Deps, context: PageContext): Promise<Table>
  /** Those of the page of the list. */
  options?: PageOptions
}

const LISTS: Record<keyof (typeof texts)['hr']['files'], List> = {
  devices: { tableOf: deviceTable },
  alerts: { tableOf: alertTable },
  audit: { tableOf: auditTable, options: { role: 'admin', allCompanies: true } },
}

/** Lists of pages as files: the address has the filter of the list. */
export function listFiles(pages: Pages, deps: Deps, give: FileGiving['give']): void {
  for (const [list, { tableOf, options }] of Object.entries(LISTS) as [keyof typeof LISTS, List][]) {
    const nameIn = ({ language }: PageContext) => `${texts[language].files[list]}-${isoDate(dateAt(deps.now()))}`
    const add = (ending: string, fileOf: (table: Table, name: string) => Promise<GivenFile>) =>
      pages.get(
        `/export/lists/${list}.${ending}`,
        (context) => give(context, async () => fileOf(await tableOf(deps, context), nameIn(context))),
        options,
      )
    add('csv', async (table, name) => csvFile(table, name))
    add('xlsx', (table, name) => xlsxFile([table], name))
  }
}
