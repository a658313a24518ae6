import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { listFiles } from '../addresses.ts'
import { ADMIN_OF_ALL, type DashboardDeps, type Pages } from '../page-routes.ts'
import { actorNames } from './actors.ts'
import { sentences } from './sentences.ts'
import { texts } from './texts.ts'

/** Who did what, in plain words, the latest first. */
export function auditPages(pages: Pages, { admin }: DashboardDeps): void {
  pages.get('/audit', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const { items, next } = await admin.auditLog(
      context.principal,
      readSlice('audit', { cursor: context.query.cursor }),
    )
    const who = await actorNames(admin, context)
    const entries = items.map(({ at, actor, action, detail }) => ({
      at,
      who: who(actor),
      what: sentences[context.language](action, detail),
    }))
    return context.show('audit/list', {
      t,
      entries,
      files: listFiles('audit', {}),
      next: next && `/dashboard/audit?cursor=${writeCursor('audit', next)}`,
      first: context.query.cursor === undefined ? null : '/dashboard/audit',
    })
  })
}
