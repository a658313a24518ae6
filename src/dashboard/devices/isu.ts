import { askedDevice } from '../../fiscal/gateways/asked-device.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { addressOf } from '../addresses.ts'
import { writeExpected } from '../expected-fields.ts'
import { readIds, viewOfStandings } from '../gateways/standing-view.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { waitingOf } from './change.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/devices/isu'
/** Devices with a wrong number stand above the others on the first page. */
const MOST_WRONG = 50

/** Every active device that needs an ISU number, or another one: the tasks to be done in ePorezna. */
export function isuTasksPage(
  pages: Pages,
  { admin, office, now }: Pick<DashboardDeps, 'admin' | 'office' | 'now'>,
): void {
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
      const gatewayIds = [...new Set([...pending.items, ...wrong].map(({ device }) => device.gatewayId))].filter(
        Boolean,
      )
      const waiting = await admin.commands.waitingAt(context.principal, gatewayIds)
      const standings = await admin.commands.commandsWith(context.principal, readIds(context.query.sent))
      const rowsOf = (items: typeof wrong) =>
        items.map((row) => {
          const about = waiting.filter(({ command }) => command.body.device_id === row.device.id)
          const asked = askedDevice(row.device, waitingOf(about))
          const numbers = about.filter(({ command }) => command.type === 'device.set_isu')
          return {
            ...row,
            asked,
            oib: companies.get(row.device.companyId)?.oib ?? '',
            seen: writeExpected(asked, ['isuNumber', 'isuStatus']),
            waits: viewOfStandings(numbers, { now }, context.language, HERE).rows.map(({ sentences }) =>
              sentences.join(' '),
            ),
          }
        })
      return context.show('devices/isu', {
        title: t.tasksTitle,
        t,
        steps: t.tasksSteps.split('\n'),
        standing: viewOfStandings(standings, { now }, context.language, HERE),
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
