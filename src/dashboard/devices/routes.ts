import { croatianDate, dateOfIso } from '../../domain/calendar-date.ts'
import { byPremises } from '../../domain/premises/portal-sheet.ts'
import { askedDevice } from '../../fiscal/gateways/asked-device.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { addressOf } from '../addresses.ts'
import { writeExpected } from '../expected-fields.ts'
import { portalRows } from '../export/lists/tables.ts'
import { readIds, viewOfStandings } from '../gateways/standing-view.ts'
import { type DashboardDeps, OPERATOR, type Pages } from '../page-routes.ts'
import { settingsPages } from '../settings/routes.ts'
import { addDevicePages } from './add.ts'
import { type AskedFile, changeDevice, deviceOf, waitingOf } from './change.ts'
import { devicePages } from './detail.ts'
import { hoursPages } from './hours.ts'
import { importPages } from './import.ts'
import { deviceListPage } from './list.ts'
import { texts } from './texts.ts'

/** The machines: list, set-up, ISU numbers, settings and import. */
export function allDevicePages(pages: Pages, deps: DashboardDeps): void {
  deviceListPage(pages, deps)
  addDevicePages(pages, deps)
  isuTasksPage(pages, deps)
  importPages(pages, deps)
  hoursPages(pages, deps)
  devicePages(pages, deps)
  deviceSettingsPages(pages, deps)
}

/** The configuration of a device, above that of its company. */
function deviceSettingsPages(pages: Pages, deps: DashboardDeps): void {
  settingsPages<AskedFile>(pages, {
    path: '/devices/:id/settings',
    role: 'operator',
    key: 'deviceConfig',
    find: (context) => deviceOf(deps, context),
    levelsOf: ({ asked, company }) => ({ own: asked.deviceConfig, above: company.fiscalConfig }),
    viewOf: (context, { device, gateway, standings }) => {
      const t = texts[context.language]
      return {
        title: t.settingsTitle(device.label),
        t,
        mayChange: context.may('operator'),
        action: `/dashboard/devices/${device.id}/settings`,
        back: `/dashboard/devices/${device.id}`,
        standing: viewOfStandings(standings, context, `/dashboard/devices/${device.id}`),
        note: gateway === null ? null : t.byGateway(gateway),
      }
    },
    change: (context, file, deviceConfig, refused) =>
      changeDevice(deps, context, file, { changes: { deviceConfig }, keys: ['deviceConfig'], refused }),
  })
}

const HERE = '/dashboard/devices/isu'
/** Devices with a wrong number stand above the others on the first page. */
const MOST_WRONG = 50
/** Sorted by premises on each page, and in the sheet as a whole. */
const MOST_PENDING = '200'

/** Every active device that needs an ISU number, or another one: the tasks to be done in ePorezna. */
function isuTasksPage(pages: Pages, deps: DashboardDeps): void {
  const { admin, office } = deps
  pages.get(HERE.slice('/dashboard'.length), OPERATOR, async (context) => {
    const t = texts[context.language]
    const wanted = { status: 'active', allTenants: false } as const
    const of = (isuStatus: 'pending' | 'mismatch', slice: ReturnType<typeof readSlice>) =>
      office.fleet.listDevices(context.principal, { ...wanted, isuStatus }, slice)
    const pending = await of('pending', readSlice('devices', { limit: MOST_PENDING, cursor: context.query.cursor }))
    const wrong = context.query.cursor ? [] : (await of('mismatch', { limit: MOST_WRONG })).items
    const portalOf = await portalRows(deps, context)
    const gatewayIds = [...new Set([...pending.items, ...wrong].map(({ device }) => device.gatewayId))].filter(Boolean)
    const waiting = await admin.commands.waitingAt(context.principal, gatewayIds)
    const standings = await admin.commands.commandsWith(context.principal, readIds(context.query.sent))
    const rowsOf = (items: typeof wrong) => {
      const rows = items.map((row) => {
        const about = waiting.filter(({ command }) => command.body.device_id === row.device.id)
        const asked = askedDevice(row.device, waitingOf(about))
        const numbers = about.filter(({ command }) => command.type === 'device.set_isu')
        return {
          ...row,
          asked,
          portal: portalOf(row),
          seen: writeExpected(asked, ['isuNumber', 'isuStatus']),
          waits: viewOfStandings(numbers, context, HERE).rows.map(({ sentences }) => sentences.join(' ')),
        }
      })
      return rows.sort((one, other) => byPremises(one.portal, other.portal))
    }
    return context.show('devices/isu', {
      title: t.isuTasks,
      t,
      steps: t.tasksSteps.split('\n'),
      standing: viewOfStandings(standings, context, HERE),
      dayOf: (day: string) => croatianDate(dateOfIso(day)),
      // Premises whose number is to be corrected are registered already.
      groups: [
        { title: t.tasksMismatch, rows: rowsOf(wrong), isNew: false },
        { title: t.tasksPending, rows: rowsOf(pending.items), isNew: true },
      ].filter(({ rows }) => rows.length > 0),
      isPart: pending.next !== null || Boolean(context.query.cursor),
      next: pending.next && addressOf(HERE, { cursor: writeCursor('devices', pending.next) }),
      first: context.query.cursor ? HERE : null,
    })
  })
}
