import { readSlice, writeCursor } from '../../fiscal/list-page.ts'
import type { AuditEntry, JsonObject } from '../../fiscal/ports/model.ts'
import { cursorPager, entriesOf, inPages, type List, showList } from '../lists/list.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { AREAS, actorNames, readAuditFilter } from './filter.ts'
import { changesIn, sentence } from './sentences.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/audit'

/** Who did what, in plain words, the latest first; a file has each row of bulk jobs, too. */
export async function auditList(deps: DashboardDeps, context: PageContext): Promise<List<AuditEntry>> {
  const { admin } = deps
  const { principal, language, query } = context
  const t = texts[language]
  const { filter, values, companies, error } = await readAuditFilter(deps, context)
  const { withoutJobs: _all, ...withJobs } = filter
  const { items, next } = await admin.auditLog(principal, filter, readSlice('audit', query))
  const who = await actorNames(admin, context)
  const day = (name: 'from' | 'to') => ({ name, label: t[name], type: 'date', value: values[name] })
  return {
    title: t.title,
    path: HERE,
    query,
    about: t.about,
    none: t.nothing,
    rows: items,
    all: () => inPages((slice) => admin.auditLog(principal, withJobs, slice)),
    file: 'audit',
    look: 'log',
    columns: [
      { title: t.when, cell: ({ at }) => ({ moment: at }), place: 'm3 c-when' },
      { title: t.who, cell: ({ actor }) => who(actor), place: 'm1 c-who' },
      {
        title: t.what,
        cell: ({ action, detail }) => sentence(action, detail, language),
        page: ({ action, detail }) => ({ text: sentence(action, detail, language), href: pageOf(action, detail) }),
        place: 'm2',
      },
      { title: t.change, cell: ({ detail }) => changesIn(detail, language), place: 'm5' },
      deps.role === 'server' && {
        title: t.through,
        cell: ({ detail }: AuditEntry) => (typeof detail.gateway === 'string' ? detail.gateway : null),
        place: 'rank2 c-who',
      },
      { title: t.action, cell: ({ action }) => action },
      { title: t.actor, cell: ({ actor }) => actor },
    ],
    filters: [
      { name: 'period', title: t.period, fields: [day('from'), day('to')] },
      { name: 'who', title: t.who, entries: who.all },
      {
        name: 'area',
        title: t.area,
        entries: entriesOf(AREAS, t.areas),
      },
      companies.length > 1 && { name: 'company', title: t.company, entries: companies },
      { name: 'place', title: t.device, fields: [{ name: 'device', label: t.deviceName, value: query.device, error }] },
    ],
    pager: cursorPager(HERE, query, next && writeCursor('audit', next)),
  }
}

export function auditPages(pages: Pages, deps: DashboardDeps): void {
  pages.get('/audit', OPERATOR, async (context) => showList(context, await auditList(deps, context)))
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
