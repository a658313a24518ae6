import type { DeviceFile } from '../../fiscal/office/fleet.ts'
import type { Device } from '../../fiscal/ports/model.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { editorOf, type Sent } from '../settings/editor.ts'
import { readSettings } from '../settings/read-form.ts'
import { changeDevice } from './change.ts'
import { texts } from './texts.ts'

const KEYS = ['deviceConfig'] as const satisfies (keyof Device)[]

/** The configuration of a device, above that of its company. */
export function deviceSettingsPages(pages: Pages, deps: Pick<DashboardDeps, 'v1' | 'admin' | 'office'>): void {
  const fileOf = (context: PageContext) => deps.office.fleet.findDevice(context.principal, context.params.id ?? '')

  pages.get('/devices/:id/settings', async (context) => show(context, await fileOf(context)))

  pages.post(
    '/devices/:id/settings',
    async (context) => {
      const file = await fileOf(context)
      const { form } = context
      const read = readSettings(form, file.device.deviceConfig)
      if ('faults' in read) return show(context, file, { form, faults: read.faults }, {})
      try {
        const seen = readExpected<Device, 'deviceConfig'>(form.seen, KEYS)
        const to = `/dashboard/devices/${file.device.id}`
        return await changeDevice(deps, context, file, { changes: { deviceConfig: read.config }, seen, to })
      } catch (error) {
        const now = await fileOf(context)
        return show(
          context,
          now,
          { form, ...(isChangedMeanwhile(error) && { seen: seenOf(form.seen) }) },
          context.errorsOf(error),
        )
      }
    },
    { role: 'operator' },
  )

  async function show(context: PageContext, file: DeviceFile, sent?: Sent, errors?: Record<string, string>) {
    const { device, company, gateway } = file
    const t = texts[context.language]
    const it = {
      ...editorOf({ own: device.deviceConfig, above: company.fiscalConfig }, context.language, sent),
      ...{ title: t.settingsTitle(device.label), t, errors: allInOne(errors), mayChange: context.may('operator') },
      action: `/dashboard/devices/${device.id}/settings`,
      back: `/dashboard/devices/${device.id}`,
      note: gateway === null ? null : t.byGateway(gateway),
      // A form with a field that is wrong was looked at with what it came with.
      seen: sent?.faults ? (sent.form.seen ?? '') : writeExpected(device, KEYS),
    }
    return context.show('settings/editor', it, sent ? 422 : 200)
  }
}

/** What is refused as a whole belongs to no field of the editor. */
export const allInOne = (errors: Record<string, string> = {}) => ({ form: Object.values(errors)[0] ?? null })

function seenOf(text: string | undefined): Device['deviceConfig'] {
  try {
    return readExpected<Device, 'deviceConfig'>(text, KEYS).deviceConfig ?? {}
  } catch {
    return {}
  }
}
