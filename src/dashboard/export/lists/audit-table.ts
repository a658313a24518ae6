import type { AuditEntry } from '../../../fiscal/ports/model.ts'
import type { Cell, Table } from '../../../reports/tables/cells.ts'
import { actorNames } from '../../audit/actors.ts'
import { sentences } from '../../audit/sentences.ts'
import { texts as auditTexts } from '../../audit/texts.ts'
import type { DashboardDeps, PageContext } from '../../page-routes.ts'
import { rowsOfPages } from './in-slices.ts'
import { texts } from './texts.ts'

/** The whole audit log, the latest first. */
export async function auditTable({ admin }: Pick<DashboardDeps, 'admin'>, context: PageContext): Promise<Table> {
  const { principal, language } = context
  const [t, a] = [texts[language], auditTexts[language]]
  const who = await actorNames(admin, context)
  const columns = [a.when, a.who, a.what, t.action, t.actor].map((title) => ({ title, width: 24 }))
  const rowOf = ({ at, actor, action, detail }: AuditEntry): Cell[] => [
    ...[{ moment: at }, who(actor), sentences[language](action, detail), action, actor],
  ]
  return { title: a.title, columns, rows: rowsOfPages((slice) => admin.auditLog(principal, slice), rowOf) }
}
