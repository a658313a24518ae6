import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { addressOf } from '../addresses.ts'
import { writeExpected } from '../expected-fields.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/devices/isu'
/** Devices with a wrong number stand above the others on the first page. */
const MOST_WRONG = 50

/** Every active device that needs an ISU number, or another one: the tasks to be done in ePorezna. */
export function isuTasksPage(pages: Pages, { office }: Pick<DashboardDeps, 'office'>): void {
  pages.get(
    HERE.slice('/dashboard'.length),
    async (context) => {
      const t = texts[context.language]
      const wanted = { status: 'active', allTenants: false } as const
      const of = (isuStatus: 'pending' | 'mismatch', slice: ReturnType<typeof readSlice>) =>
        office.fleet.listDevices(context.principal, { ...wanted, isuStatus }, slice)
      const pending = await of('pending', readSlice('devices', { cursor: context.query.cursor }))
      const wrong = context.query.cursor ? [] : (await of('mismatch', { limit: MOST_WRONG })).items
      const companies = new Map(
        (await office.fleet.choices(context.principal)).map(({ company }) => [company.id, company] as const),
      )
      const rowsOf = (items: typeof wrong) =>
        items.map((row) => ({
          ...row,
          oib: companies.get(row.device.companyId)?.oib ?? '',
          seen: writeExpected(row.device, ['isuNumber', 'isuStatus']),
        }))
      return context.show('devices/isu', {
        title: t.tasksTitle,
        t,
        steps: t.tasksSteps.split('\n'),
        groups: [
          { title: t.tasksMismatch, rows: rowsOf(wrong) },
          { title: t.tasksPending, rows: rowsOf(pending.items) },
        ].filter(({ rows }) => rows.length > 0),
        next: pending.next && addressOf(HERE, { cursor: writeCursor('devices', pending.next) }),
        first: context.query.cursor ? HERE : null,
      })
    },
    { role: 'operator' },
  )
}
