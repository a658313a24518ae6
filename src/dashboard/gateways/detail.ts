import { type EpochMs, parseInstant } from '../../domain/instant.ts'
import type { GatewayDetails } from '../../fiscal/gateways/gateways.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { namesOf, rowOfCommand } from './command-view.ts'
import { alertsOf, pathOf, rowOf, stateBadge } from './list-view.ts'
import { sayReported } from './reported-health.ts'
import { texts } from './texts.ts'

const MOST_DEVICES = 50
const MOST_ALERTS = 500

/** One gateway: how it is, what it sells with, and what it was told to do. */
export function detailPages(pages: Pages, { admin, office }: Pick<DashboardDeps, 'admin' | 'office'>): void {
  pages.get('/gateways/:name', async (visit) => {
    const details = await find(visit)
    const { gateway } = details
    const t = texts[visit.language]
    const slice = readSlice('commands', { cursor: visit.query.cursor })
    const commands = await admin.commands.listCommands(visit.principal, gateway.id, slice)
    const nameOf = await namesOf(admin, visit, t)
    const { items: devices } = await office.fleet.listDevices(
      visit.principal,
      { gatewayId: gateway.id, allTenants: false },
      { limit: MOST_DEVICES },
    )
    return visit.show('gateways/detail', {
      ...(await healthOf(visit, details)),
      title: gateway.name,
      path: pathOf(gateway.name),
      devices: devices.map(({ device }) => device),
      hasMoreDevices: devices.length === MOST_DEVICES,
      commands: commands.items.map((view) => rowOfCommand(view, gateway.name, nameOf, t)),
      next: commands.next && `${pathOf(gateway.name)}?cursor=${writeCursor('commands', commands.next)}`,
      first: visit.query.cursor === undefined ? null : pathOf(gateway.name),
      mayBeTold: gateway.revokedAt === null && gateway.publicKey !== null && gateway.credentialHash !== null,
    })
  })

  pages.get('/gateways/:name/health', async (visit) =>
    visit.part('gateways/health', await healthOf(visit, await find(visit))),
  )

  const find = (visit: Visit) => admin.gateways.showGateway(visit.principal, visit.params.name ?? '')

  async function healthOf(visit: Visit, details: GatewayDetails) {
    const t = texts[visit.language]
    const { gateway, state, premises, refusals, refused, conflicts } = details
    const { items } = await office.alerts.list(visit.principal, { state: 'open' }, { limit: MOST_ALERTS })
    const labels = await labelsOf(visit, details)
    const heartbeat = gateway.heartbeat
    return {
      ...{ t, gateway, state, badge: stateBadge(state, t), row: rowOf(details, items, t), heartbeat },
      ...{ refused, refusals, conflicts, alerts: alertsOf(details, items).length },
      path: pathOf(gateway.name),
      premises: [...new Set(premises.map(({ premisesCode }) => premisesCode))],
      problems: (heartbeat?.problems ?? []).map((problem) => sayReported(problem, visit.language)),
      printers: (heartbeat?.printers ?? []).map(({ device_id, state: is, detail }) => ({
        ...{ label: labels.get(device_id) ?? device_id, detail },
        is: Object.hasOwn(t.printerStates, is) ? t.printerStates[is as keyof typeof t.printerStates] : is,
      })),
      lastJirAt: momentIn(heartbeat?.last_jir_at),
      oldestAt: momentIn(heartbeat?.queue.oldest_at),
    }
  }

  async function labelsOf({ principal }: Visit, { gateway }: GatewayDetails): Promise<Map<string, string>> {
    if ((gateway.heartbeat?.printers ?? []).length === 0) return new Map()
    const wanted = { gatewayId: gateway.id, allTenants: false }
    const { items } = await office.fleet.listDevices(principal, wanted, { limit: MOST_DEVICES })
    return new Map(items.map(({ device: { id, label } }) => [id, label]))
  }
}

/** Null for what is no time: heartbeats that were stored by earlier versions may say anything. */
const momentIn = (told: string | null | undefined): EpochMs | null => parseInstant(told) ?? null
