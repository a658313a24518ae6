import { ALERT_KINDS, ALERT_STATES } from '../../../domain/alert.ts'
import type { AlertView } from '../../../fiscal/alerts/read-alerts.ts'
import type { Cell, Table } from '../../../reports/tables/cells.ts'
import { alertKinds } from '../../alerts/kinds.ts'
import { texts as alertTexts } from '../../alerts/texts.ts'
import { viewOf } from '../../alerts/view.ts'
import type { DashboardDeps, PageContext } from '../../page-routes.ts'
import { rowsOfPages } from './in-slices.ts'
import { texts } from './texts.ts'

/** The alerts of the state and kind that their list shows, the latest first. */
export async function alertTable(
  { office: { alerts } }: Pick<DashboardDeps, 'office'>,
  { principal, query, language }: PageContext,
): Promise<Table> {
  const [t, a] = [texts[language], alertTexts[language]]
  const state = ALERT_STATES.find((one) => one === query.state) ?? 'open'
  const kind = ALERT_KINDS.find((one) => one === query.kind)
  const columns = [
    ...[a.severity, a.what, a.kind, a.state, a.since, a.acknowledged, t.acknowledgedBy, a.resolved, a.gateway],
    ...[a.todo, t.id],
  ]
  const moment = (at: number | null): Cell => (at === null ? null : { moment: at })
  const rowOf = (alert: AlertView): Cell[] => {
    const view = viewOf(alert, language)
    return [
      ...[a.severities[view.severity], `${view.title}. ${view.what}`, alertKinds[language](alert.kind)],
      ...[a.stateIs[view.state], moment(view.raisedAt), moment(view.acknowledgedAt), view.acknowledgedBy],
      ...[moment(view.resolvedAt), view.gateway, view.todo, view.id],
    ]
  }
  const rows = rowsOfPages((slice) => alerts.list(principal, { state, kind }, slice), rowOf)
  return { title: a.title, columns: columns.map((title) => ({ title, width: 22 })), rows }
}
