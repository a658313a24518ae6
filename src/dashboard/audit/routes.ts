import type { Principal } from '../../fiscal/access/principal.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { sentences } from './sentences.ts'
import { texts } from './texts.ts'

/** Who did what, in plain words, the latest first. */
export function auditPages(pages: Pages, { admin }: Pick<DashboardDeps, 'admin'>): void {
  pages.get(
    '/audit',
    async (context) => {
      const t = texts[context.language]
      const { items, next } = await admin.auditLog(
        context.principal,
        readSlice('audit', { cursor: context.query.cursor }),
      )
      const nameOf = await namesOf(context.principal)
      const entries = items.map(({ at, actor, action, detail }) => ({
        at,
        who: whoIs(actor, nameOf.get(actor), t),
        what: sentences[context.language](action, detail),
      }))
      return context.show('audit/list', {
        title: t.title,
        t,
        entries,
        next: next && `/dashboard/audit?cursor=${writeCursor('audit', next)}`,
        first: context.query.cursor === undefined ? null : '/dashboard/audit',
      })
    },
    { role: 'admin', allCompanies: true },
  )

  /** The present names of users and keys; the log has only the id of a removed one. */
  async function namesOf(principal: Principal): Promise<Map<string, string>> {
    const [users, keys] = await Promise.all([admin.listUsers(principal), admin.listApiKeys(principal)])
    return new Map([...users, ...keys].map(({ id, name }) => [id, name ?? id]))
  }
}

const APART = /^(operator of|gateway|server) (.+)$/

function whoIs(actor: string, name: string | undefined, t: (typeof texts)['hr']): string {
  if (name !== undefined) return name
  if (actor === 'operator') return t.operator
  if (actor === 'crl') return t.issuer
  if (actor === 'nobody') return t.nobody
  const [, kind, which = ''] = APART.exec(actor) ?? []
  if (kind === 'operator of') return t.operator
  if (kind === 'gateway') return t.gateway(which)
  if (kind === 'server') return t.server
  return t.gone(actor)
}
