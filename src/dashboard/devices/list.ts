import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { stateOf } from './state.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/devices'
const oneOf = <T extends string>(values: readonly T[], text: string | undefined) =>
  values.find((value) => value === text)

/** The devices of the tenant; a platform administrator can ask for those of all tenants. */
export function deviceListPage(pages: Pages, { office }: Pick<DashboardDeps, 'office'>): void {
  pages.get('/devices', async (context) => {
    const { principal, query, language } = context
    const t = texts[language]
    const all = query.all === '1' && context.user.isPlatformAdmin
    const filter = {
      companyId: query.company || undefined,
      premisesCode: query.premises || undefined,
      isuStatus: oneOf(ISU_STATUSES, query.isu),
      status: oneOf(ACTIVE_STATUSES, query.status),
      text: query.q?.trim() || undefined,
      allTenants: all,
    }
    const slice = readSlice('devices', { cursor: query.cursor })
    const { items, next } = await office.fleet.listDevices(principal, filter, slice)
    const companies = await office.fleet.choices(principal)
    const { cursor: _cursor, notice: _notice, ...kept } = query
    return context.show('devices/list', {
      title: t.title,
      t,
      query,
      all,
      rows: items.map((row) => ({
        ...row,
        state: stateOf(row.device, language),
        isOurs: row.device.tenantId === principal.tenantId,
      })),
      companies: companies.map(({ company }) => ({ value: company.id, text: company.name })),
      statuses: ACTIVE_STATUSES.map((value) => ({ value, text: t.statuses[value] })),
      isuStates: ISU_STATUSES.map((value) => ({ value, text: t.isuStates[value] })),
      isFiltered: Object.keys(kept).some((name) => name !== 'all' && kept[name] !== ''),
      next: next && addressOf(HERE, { ...kept, cursor: writeCursor('devices', next) }),
      first: query.cursor ? addressOf(HERE, kept) : null,
    })
  })
}
