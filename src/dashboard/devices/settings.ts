import { viewOfStandings } from '../gateways/standing-view.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { settingsPages } from '../settings/routes.ts'
import { type AskedFile, changeDevice, deviceOf } from './change.ts'
import { texts } from './texts.ts'

/** The configuration of a device, above that of its company. */
export function deviceSettingsPages(pages: Pages, deps: Pick<DashboardDeps, 'v1' | 'admin' | 'office' | 'now'>): void {
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
        standing: viewOfStandings(standings, deps, context.language, `/dashboard/devices/${device.id}`),
        note: gateway === null ? null : t.byGateway(gateway),
      }
    },
    change: (context, file, deviceConfig, refused) =>
      changeDevice(deps, context, file, { changes: { deviceConfig }, keys: ['deviceConfig'], refused }),
  })
}
