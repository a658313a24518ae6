import { setImmediate } from 'node:timers/promises'
import { ALERT_KINDS, ALERT_STATES } from '../../../domain/alert.ts'
import { byPremises, PORTAL_COLUMNS, type PortalRow, portalRow } from '../../../domain/premises/portal-sheet.ts'
import type { AlertView } from '../../../fiscal/alerts/alerts.ts'
import type { Page } from '../../../fiscal/list-page.ts'
import type { ListedDevice } from '../../../fiscal/office/fleet.ts'
import type { AuditEntry } from '../../../fiscal/ports/model.ts'
import type { Slice } from '../../../fiscal/ports/rows/lists.ts'
import { type Cell, type ColumnOf, eachOf, momentCell, type Table, tableOf } from '../../../reports/tables/cells.ts'
import { alertKinds } from '../../alerts/kinds.ts'
import { viewOf } from '../../alerts/routes.ts'
import { texts as alertTexts } from '../../alerts/texts.ts'
import { actorNames } from '../../audit/actors.ts'
import { readAuditFilter } from '../../audit/filter.ts'
import { sentences } from '../../audit/sentences.ts'
import { texts as auditTexts } from '../../audit/texts.ts'
import { inSlices } from '../../lists/list.ts'
import type { DashboardDeps, PageContext } from '../../page-routes.ts'
import { texts } from './texts.ts'

const columnIn =
  <Row>(width: number) =>
  (title: string, cell: (row: Row) => Cell): ColumnOf<Row> => ({ title, width, cell })

/** The alerts of the state and kind that their list shows, the latest first. */
export async function alertTable(
  { office: { alerts } }: DashboardDeps,
  { principal, query, language }: PageContext,
): Promise<Table> {
  const [t, a] = [texts[language], alertTexts[language]]
  const state = ALERT_STATES.find((one) => one === query.state) ?? 'open'
  const kind = ALERT_KINDS.find((one) => one === query.kind)
  const column = columnIn<ReturnType<typeof viewOf> & Pick<AlertView, 'kind'>>(22)
  const columns = [
    column(a.severity, ({ severity }) => a.severities[severity]),
    column(a.what, ({ title, what }) => `${title}. ${what}`),
    column(a.kind, (alert) => alertKinds[language](alert.kind)),
    column(a.state, (alert) => a.stateIs[alert.state]),
    column(a.since, ({ raisedAt }) => momentCell(raisedAt)),
    column(a.acknowledged, ({ acknowledgedAt }) => momentCell(acknowledgedAt)),
    column(t.acknowledgedBy, ({ acknowledgedBy }) => acknowledgedBy),
    column(a.resolved, ({ resolvedAt }) => momentCell(resolvedAt)),
    column(a.gateway, ({ gateway }) => gateway),
    column(a.todo, ({ todo }) => todo),
    column(t.id, ({ id }) => id),
  ]
  const found = pageByPage((slice) => alerts.list(principal, { state, kind }, slice))
  const rows = eachOf(found, (alert) => ({ ...viewOf(alert, language), kind: alert.kind }))
  return tableOf(a.title, columns, rows)
}

/** The audit log as its page is filtered, the latest first, with each row of bulk jobs. */
export async function auditTable(deps: DashboardDeps, context: PageContext): Promise<Table> {
  const { admin } = deps
  const { principal, language } = context
  const { withoutJobs: _all, ...filter } = (await readAuditFilter(deps, context)).filter
  const [t, a] = [texts[language], auditTexts[language]]
  const who = await actorNames(admin, context)
  const column = columnIn<AuditEntry>(24)
  const columns = [
    column(a.when, ({ at }) => ({ moment: at })),
    column(a.who, ({ actor }) => who(actor)),
    column(a.what, ({ action, detail }) => sentences[language](action, detail)),
    column(t.action, ({ action }) => action),
    column(t.actor, ({ actor }) => actor),
  ]
  return tableOf(
    a.title,
    columns,
    pageByPage((slice) => admin.auditLog(principal, filter, slice)),
  )
}

/** What ePorezna asks for each machine that waits for an ISU number, by premises. */
export async function isuTable(deps: DashboardDeps, context: PageContext): Promise<Table> {
  const wanted = { status: 'active', isuStatus: 'pending', allTenants: false } as const
  const portalOf = await portalRows(deps, context)
  const rows: PortalRow[] = []
  const { listDevices } = deps.office.fleet
  for await (const page of pageByPage((slice) => listDevices(context.principal, wanted, slice)))
    rows.push(...page.map(portalOf))
  const columns = PORTAL_COLUMNS.map((title) => ({ title, width: 20, cell: (row: PortalRow) => row[title] }))
  return tableOf('ISU', columns, inSlices(rows.sort(byPremises)))
}

/** What ePorezna asks for a device of the reader's companies. */
export async function portalRows({ office, now }: DashboardDeps, { principal }: Pick<PageContext, 'principal'>) {
  const owned = await office.fleet.choices(principal)
  const companies = new Map(owned.map(({ company }) => [company.id, company] as const))
  return ({ device }: ListedDevice) =>
    portalRow(device, companies.get(device.companyId) ?? { oib: '', fiscalConfig: {} }, now())
}

const SLICE = 100

/** All items of a list that is read page by page, with pauses for sales. */
async function* pageByPage<T>(read: (slice: Slice) => Promise<Page<T>>): AsyncGenerator<T[]> {
  for (let after: Slice['after']; ; await setImmediate()) {
    const { items, next } = await read({ limit: SLICE, after })
    if (items.length > 0) yield items
    if (next === null) return
    after = next
  }
}
