import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { addressOf } from '../addresses.ts'
import { writeSeen } from '../expected-fields.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/devices/isu'
/** Those that are wrong stand above the others on the first page. */
const MOST_WRONG = 50

/** Every active device that still needs its ISU number, or another one: what is to be done in ePorezna, one after the other. */
export function isuTasksPage(pages: Pages, { office }: Pick<DashboardDeps, 'office'>): void {
  pages.get(
    HERE.slice('/dashboard'.length),
    async (visit) => {
      const t = texts[visit.language]
      const wanted = { status: 'active', allTenants: false } as const
      const of = (isuStatus: 'pending' | 'mismatch', slice: ReturnType<typeof readSlice>) =>
        office.fleet.listDevices(visit.principal, { ...wanted, isuStatus }, slice)
      const pending = await of('pending', readSlice('devices', { cursor: visit.query.cursor }))
      const wrong = visit.query.cursor ? [] : (await of('mismatch', { limit: MOST_WRONG })).items
      const companies = new Map(
        (await office.fleet.choices(visit.principal)).map(({ company }) => [company.id, company] as const),
      )
      const rowsOf = (items: typeof wrong) =>
        items.map((row) => ({
          ...row,
          oib: companies.get(row.device.companyId)?.oib ?? '',
          seen: writeSeen(row.device, ['isuNumber', 'isuStatus']),
        }))
      return visit.show('devices/isu', {
        ...{ title: t.tasksTitle, t, steps: t.tasksSteps.split('\n') },
        groups: [
          { title: t.tasksMismatch, rows: rowsOf(wrong) },
          { title: t.tasksPending, rows: rowsOf(pending.items) },
        ].filter(({ rows }) => rows.length > 0),
        next: pending.next && addressOf(HERE, { cursor: writeCursor('devices', pending.next) }),
        first: visit.query.cursor ? HERE : null,
      })
    },
    { role: 'operator' },
  )
}
