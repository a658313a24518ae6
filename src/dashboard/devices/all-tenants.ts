import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { addressOf } from '../addresses.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

/** The devices of all tenants, for a platform administrator; the use case writes into the audit log that they were read. */
export async function allTenantsPage({ office }: Pick<DashboardDeps, 'office'>, context: PageContext) {
  const { principal, query, language } = context
  const t = texts[language]
  const filter = { text: query.q?.trim() || undefined, allTenants: true }
  const slice = readSlice('devices', { cursor: query.cursor })
  const { items, next } = await office.fleet.listDevices(principal, filter, slice)
  const here = (cursor?: string) => addressOf('/dashboard/devices', { all: '1', q: query.q, cursor })
  return context.show('devices/all-tenants', {
    title: t.title,
    t,
    query,
    rows: items.map((row) => ({ ...row, isOurs: row.device.tenantId === principal.tenantId })),
    next: next && here(writeCursor('devices', next)),
    first: query.cursor ? here() : null,
  })
}
