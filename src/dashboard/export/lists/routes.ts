import { dateAt, isoDate } from '../../../domain/calendar-date.ts'
import { fileNamePart } from '../../../domain/texts/file-name.ts'
import type { Table } from '../../../reports/tables/cells.ts'
import { alertList } from '../../alerts/routes.ts'
import { auditList } from '../../audit/routes.ts'
import { companyList } from '../../companies/list.ts'
import { deviceList } from '../../devices/list.ts'
import { gatewayList } from '../../gateways/list.ts'
import { invoiceList } from '../../invoices/list-page.ts'
import { jobList } from '../../jobs/list.ts'
import { keyList } from '../../keys/list.ts'
import { fileOf, type List } from '../../lists/list.ts'
import { notEarningList } from '../../not-earning/routes.ts'
import {
  ADMIN_OF_ALL,
  type DashboardDeps,
  OPERATOR,
  type PageContext,
  type PageOptions,
  type Pages,
} from '../../page-routes.ts'
import { userList } from '../../users/list.ts'
import { type createFileGiving, csvFile, type GivenFile, xlsxFile } from '../give-file.ts'
import { isuTable } from './isu-table.ts'
import { texts } from './texts.ts'

type TableOf = (deps: DashboardDeps, context: PageContext) => Promise<Table>

const of =
  <Row>(list: (deps: DashboardDeps, context: PageContext) => Promise<List<Row>>): TableOf =>
  async (...asked) =>
    fileOf(await list(...asked))

/** Each with who may have it, which is who may open its page. */
const LISTS: Record<keyof (typeof texts)['hr']['files'], [tableOf: TableOf, options: PageOptions]> = {
  devices: [of(deviceList), {}],
  'not-earning': [of(notEarningList), {}],
  invoices: [of(invoiceList), {}],
  isu: [isuTable, OPERATOR],
  alerts: [of(alertList), {}],
  audit: [of(auditList), OPERATOR],
  companies: [of(companyList), {}],
  gateways: [of(gatewayList), { allCompanies: true }],
  jobs: [of(jobList), {}],
  keys: [of(keyList), ADMIN_OF_ALL],
  users: [of(userList), ADMIN_OF_ALL],
}

/** Lists of pages as files: the address has the filter of the list. */
export function listFiles(pages: Pages, deps: DashboardDeps, give: ReturnType<typeof createFileGiving>['give']): void {
  for (const [list, [tableOf, options]] of Object.entries(LISTS) as [keyof typeof LISTS, [TableOf, PageOptions]][]) {
    if (list === 'gateways' && deps.role !== 'server') continue
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
