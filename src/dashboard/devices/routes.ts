import { byPremises } from '../../domain/premises/portal-sheet.ts'
import { askedDevice } from '../../fiscal/gateways/asked-device.ts'
import { readSlice, writeCursor } from '../../fiscal/list-page.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Device } from '../../fiscal/ports/model.ts'
import { deviceFaults } from '../../fiscal/registry/device-rules.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { addressOf } from '../addresses.ts'
import { companyOption } from '../company-choices.ts'
import { writeExpected } from '../expected-fields.ts'
import { portalRows } from '../export/lists/isu-table.ts'
import { readIds, viewOfStandings } from '../gateways/standing-view.ts'
import {
  type DashboardDeps,
  type Fields,
  OPERATOR,
  type PageContext,
  type Pages,
  type ShowAgain,
} from '../page-routes.ts'
import { settingsPages } from '../settings/routes.ts'
import { type AskedFile, changeDevice, deviceOf, waitingOf } from './change.ts'
import { devicePages, errorsOf } from './detail.ts'
import { hoursPages } from './hours.ts'
import { importPages } from './import.ts'
import { deviceListPage } from './list.ts'
import { texts } from './texts.ts'

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

function addDevicePages(pages: Pages, { v1, admin, office, role }: DashboardDeps): void {
  pages.get('/devices/new', OPERATOR, (context) => show(context, { company: context.query.company ?? '' }))

  pages.post('/devices/new', OPERATOR, async (context) => {
    const t = texts[context.language]
    const typed = readTyped(context.form)
    const company = (await office.fleet.choices(context.principal)).find(({ company }) => company.id === typed.company)
    const errors = {
      ...errorsOf(deviceFaults(typed), context),
      ...(company === undefined && { company_id: t.chooseCompany }),
      ...(company && company.gateway !== null && typed.where === '' && { where: t.companyElsewhere }),
    }
    if (company === undefined || Object.keys(errors).length > 0) return show(context, context.form, errors)
    const { company: company_id, where, ...fields } = typed
    const refused: ShowAgain = (errors) => show(context, context.form, errors)
    if (where === '') {
      const device = {
        companyId: company_id,
        premisesCode: fields.premises_code,
        label: fields.label,
        deviceConfig: {},
        premisesAddress: fields.premises_address ?? null,
        isuNumber: fields.isu_number ?? null,
      }
      const to = ({ id }: Device) => `/dashboard/devices/${id}`
      const add = (keep: Keep<Device>) => v1.addDevice(context.principal, device, keep)
      return context.once(add, { to, notice: 'device_added', refused })
    }
    const body = { company_id, ...fields }
    return context.once<GatewayCommand>(
      (keep) => admin.commands.sendCommand(context.principal, where, { type: 'device.add', body }, keep),
      { to: ({ id }) => `/dashboard/commands?of=${id}&back=/dashboard/devices`, refused },
    )
  })

  async function show(context: PageContext, values: Record<string, string | undefined>, errors: Fields = {}) {
    const t = texts[context.language]
    const companies = await office.fleet.choices(context.principal)
    const gateways = role === 'server' ? await admin.gateways.listGateways(context.principal) : []
    const it = {
      title: t.newTitle,
      t,
      values,
      errors,
      companies: [
        ...(companies.length === 1 ? [] : [{ value: '', text: t.choose }]),
        ...companies.map(({ company }) => companyOption(company)),
      ],
      places: [
        { value: '', text: t.here },
        ...gateways
          .filter(({ state }) => state !== 'revoked' && state !== 'left' && state !== 'awaiting_token')
          .map(({ gateway: { id, name } }) => ({ value: id, text: t.gateway(name) })),
      ],
    }
    return context.show('devices/new', it)
  }
}

function readTyped({ company = '', premises = '', label = '', address = '', isu = '', where = '' }: Fields) {
  const given = (text: string) => (text.trim() === '' ? undefined : text.trim())
  const [premises_address, isu_number] = [given(address), given(isu)]
  return {
    company,
    where,
    label: label.trim(),
    premises_code: premises.trim(),
    ...(premises_address !== undefined && { premises_address }),
    ...(isu_number !== undefined && { isu_number }),
  }
}
