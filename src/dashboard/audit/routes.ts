import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import { addressOf, listFiles } from '../addresses.ts'
import { type DashboardDeps, OPERATOR, type Pages } from '../page-routes.ts'
import { actorNames } from './actors.ts'
import { AREAS, readAuditFilter } from './filter.ts'
import { sentences } from './sentences.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/audit'

/** Who did what, in plain words, the latest first. */
export function auditPages(pages: Pages, deps: DashboardDeps): void {
  const { admin } = deps
  pages.get('/audit', OPERATOR, async (context) => {
    const { principal, language, query } = context
    const t = texts[language]
    const { filter, ...shown } = await readAuditFilter(deps, context)
    const { items, next } = await admin.auditLog(principal, filter, readSlice('audit', { cursor: query.cursor }))
    const who = await actorNames(admin, context)
    const { cursor: _cursor, ...kept } = query
    return context.show('audit/list', {
      t,
      ...shown,
      people: who.all,
      areas: AREAS.map((value) => ({ value, text: t.areas[value] })),
      entries: items.map(({ at, actor, action, detail }) => ({
        at,
        who: who(actor),
        what: sentences[language](action, detail),
        href: pageOf(action, detail),
      })),
      files: listFiles('audit', kept),
      next: next && addressOf(HERE, { ...kept, cursor: writeCursor('audit', next) }),
      first: query.cursor === undefined ? null : addressOf(HERE, kept),
    })
  })
}

/** The page of what an entry is about. What a gateway has written into an entry is no more than a part of an address. */
function pageOf(action: string, { id, device_id, company_id, invoice_id, gateway }: JsonObject): string | null {
  const [kind] = action.split('.')
  const at = (list: string, ref: unknown) => typeof ref === 'string' && `/dashboard/${list}/${encodeURIComponent(ref)}`
  const own = { device: 'devices', company: 'companies', job: 'jobs', invoice: 'invoices' }[kind ?? '']
  const found =
    (own && at(own, id)) || at('devices', device_id) || at('invoices', invoice_id) || at('companies', company_id)
  return found || at('gateways', gateway) || null
}
