import { dateAt, isoDate } from '../../../domain/calendar-date.ts'
import { fileNamePart } from '../../../domain/texts/file-name.ts'
import type { Table } from '../../../reports/tables/cells.ts'
import { deviceList } from '../../devices/list.ts'
import { invoiceList } from '../../invoices/list-page.ts'
import { fileOf } from '../../lists/list.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type PageOptions, type Pages } from '../../page-routes.ts'
import { type createFileGiving, csvFile, type GivenFile, xlsxFile } from '../give-file.ts'
import { alertTable, auditTable, isuTable } from './tables.ts'
import { texts } from './texts.ts'

interface List {
  tableOf(deps: DashboardDeps, context: PageContext): Promise<Table>
  /** Those of the page of the list. */
  options?: PageOptions
}

const LISTS: Record<keyof (typeof texts)['hr']['files'], List> = {
  devices: { tableOf: async (...asked) => fileOf(await deviceList(...asked)) },
  invoices: { tableOf: async (...asked) => fileOf(await invoiceList(...asked)) },
  isu: { tableOf: isuTable, options: OPERATOR },
  alerts: { tableOf: alertTable },
  audit: { tableOf: auditTable, options: OPERATOR },
}

/** Lists of pages as files: the address has the filter of the list. */
export function listFiles(pages: Pages, deps: DashboardDeps, give: ReturnType<typeof createFileGiving>['give']): void {
  for (const [list, { tableOf, options = {} }] of Object.entries(LISTS) as [keyof typeof LISTS, List][]) {
    const nameIn = ({ language, company }: PageContext) => {
      const ofCompany = company ? [fileNamePart(company.name)] : []
      return [texts[language].files[list], ...ofCompany, isoDate(dateAt(deps.now()))].join('-')
    }
    const add = (ending: string, fileOf: (table: Table, name: string) => Promise<GivenFile>) =>
      pages.get(`/export/lists/${list}.${ending}`, options, (context) =>
        give(context, async () => fileOf(await tableOf(deps, context), nameIn(context))),
      )
    add('csv', async (table, name) => csvFile(table, name))
    add('xlsx', (table, name) => xlsxFile([table], name))
  }
}
