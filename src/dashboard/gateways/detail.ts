import { type EpochMs, parseInstant } from '../../domain/instant.ts'
import { sayReported } from '../../domain/texts/blocker-texts.ts'
import { sayPrinter } from '../../domain/texts/printer-texts.ts'
import type { GatewayDetails } from '../../fiscal/gateways/gateways.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { namesOf, rowOfCommand } from './command-view.ts'
import { alertsOf, pathOf, rowOf, stateBadge } from './list-view.ts'
import { viewOfStandings } from './standing-view.ts'
import { texts } from './texts.ts'

const MOST_DEVICES = 50
const MOST_ALERTS = 500

/** The page of a gateway: its health, its devices and its commands. */
export function detailPages(
  pages: Pages,
  { admin, office, now }: Pick<DashboardDeps, 'admin' | 'office' | 'now'>,
): void {
  pages.get('/gateways/:name', async (context) => {
    const details = await find(context)
    const { gateway } = details
    const t = texts[context.language]
    const slice = readSlice('commands', { cursor: context.query.cursor })
    const commands = await admin.commands.listCommands(context.principal, gateway.id, slice)
    const nameOf = await namesOf(admin, context, t)
    const waiting = await admin.commands.waitingAt(context.principal, [gateway.id])
    const { items: devices } = await office.fleet.listDevices(
      context.principal,
      { gatewayId: gateway.id, allTenants: false },
      { limit: MOST_DEVICES },
    )
    return context.show('gateways/detail', {
      ...(await healthOf(context, details)),
      title: gateway.name,
      path: pathOf(gateway.name),
      devices: devices.map(({ device }) => device),
      standing: viewOfStandings(waiting, { now }, context.language, pathOf(gateway.name)),
      hasMoreDevices: devices.length === MOST_DEVICES,
      commands: commands.items.map((view) => rowOfCommand(view, gateway.name, nameOf, t)),
      next: commands.next && `${pathOf(gateway.name)}?cursor=${writeCursor('commands', commands.next)}`,
      first: context.query.cursor === undefined ? null : pathOf(gateway.name),
      mayBeTold: gateway.revokedAt === null && gateway.publicKey !== null && gateway.credentialHash !== null,
    })
  })

  pages.get('/gateways/:name/health', async (context) =>
    context.fragment('gateways/health', await healthOf(context, await find(context))),
  )

  const find = (context: PageContext) => admin.gateways.showGateway(context.principal, context.params.name ?? '')

  async function healthOf(context: PageContext, details: GatewayDetails) {
    const t = texts[context.language]
    const { gateway, state, premises, refusals, refused, conflicts } = details
    const { items } = await office.alerts.list(context.principal, { state: 'open' }, { limit: MOST_ALERTS })
    const labels = await labelsOf(context, details)
    const heartbeat = gateway.heartbeat
    return {
      t,
      gateway,
      state,
      badge: stateBadge(state, t),
      row: rowOf(details, items, t),
      heartbeat,
      refused,
      refusals,
      conflicts,
      alerts: alertsOf(details, items).length,
      path: pathOf(gateway.name),
      premises: [...new Set(premises.map(({ premisesCode }) => premisesCode))],
      problems: (heartbeat?.problems ?? []).map((problem) => sayReported(problem, context.language)),
      printers: (heartbeat?.printers ?? []).map(({ device_id, state: is, ...said }) => ({
        label: labels.get(device_id) ?? device_id,
        detail: sayPrinter(said, context.language),
        is: Object.hasOwn(t.printerStates, is) ? t.printerStates[is as keyof typeof t.printerStates] : is,
      })),
      lastJirAt: momentIn(heartbeat?.last_jir_at),
      oldestAt: momentIn(heartbeat?.queue.oldest_at),
    }
  }

  async function labelsOf({ principal }: PageContext, { gateway }: GatewayDetails): Promise<Map<string, string>> {
    if ((gateway.heartbeat?.printers ?? []).length === 0) return new Map()
    const wanted = { gatewayId: gateway.id, allTenants: false }
    const { items } = await office.fleet.listDevices(principal, wanted, { limit: MOST_DEVICES })
    return new Map(items.map(({ device: { id, label } }) => [id, label]))
  }
}

/** Null for a malformed time. */
const momentIn = (told: string | null | undefined): EpochMs | null => parseInstant(told) ?? null
