import { type EpochMs, parseInstant } from '../../domain/instant.ts'
import { sayReported } from '../../domain/texts/blocker-texts.ts'
import { sayPrinter } from '../../domain/texts/printer-texts.ts'
import type { AddedGateway, GatewayDetails } from '../../fiscal/gateways/gateways.ts'
import { readSlice, writeCursor } from '../../fiscal/list-page.ts'
import { hostOf } from '../addresses.ts'
import { wordIn } from '../language.ts'
import { showList } from '../lists/list.ts'
import { ADMIN_OF_ALL, type DashboardDeps, type PageContext, type Pages, type ShowAgain } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { namesOf, rowOfCommand } from './command-view.ts'
import { commandPages } from './commands.ts'
import { alertsOf, gatewayList, openAlerts, pathOf, rowOf, stateBadge } from './list.ts'
import { viewOfStandings } from './standing-view.ts'
import { texts } from './texts.ts'

/** A gateway sells for several companies: users who are limited to some see its machines only. */
const ALL = { allCompanies: true } as const
const LIST = '/dashboard/gateways'

/** The gateways of a central server; a gateway has none, and no such pages. */
export function gatewayPages(pages: Pages, deps: DashboardDeps): void {
  if (deps.role !== 'server') return
  const { admin, now } = deps
  const recentTokens = createRecentSecrets(now)

  pages.get('/gateways', ALL, async (context) => showList(context, await gatewayList(deps, context)))

  pages.get('/gateways/new', ADMIN_OF_ALL, (context) => form(context, {}, {}))

  pages.post('/gateways', ADMIN_OF_ALL, (context) => {
    const name = (context.form.name ?? '').trim()
    return addOnce(context, { name, again: false }, (errors) => form(context, context.form, errors))
  })

  pages.post('/gateways/:name/token', ADMIN_OF_ALL, (context) =>
    addOnce(context, { name: context.params.name ?? '', again: true }),
  )

  pages.get('/gateways/:name/token', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const { gateway } = await admin.gateways.showGateway(context.principal, context.params.name ?? '')
    const token = recentTokens.find(gateway.id, context.user.id)
    const access = token && `https://${hostOf(context.request)} ${token}`
    const command = access && `sudo fisk sync enroll ${access}`
    const isKnown = gateway.enrolledAt !== null
    // The technician runs it on a new card: the old one has its rows still.
    const replacement = access && isKnown ? `sudo fisk replace ${access}` : undefined
    return context.show('gateways/token', {
      title: t.tokenTitle(gateway.name),
      t,
      command,
      replacement,
      back: pathOf(gateway.name),
    })
  })

  pages.post('/gateways/:name/revoke', ADMIN_OF_ALL, (context) =>
    context.once(
      (keep) =>
        admin.gateways.revokeGateway(
          context.principal,
          context.params.name ?? '',
          { release: context.form.release === 'yes' },
          keep,
        ),
      { to: LIST, notice: 'gateway_revoked' },
    ),
  )

  detailPages(pages, deps)
  commandPages(pages, deps)

  function addOnce(context: PageContext, gateway: { name: string; again: boolean }, refused?: ShowAgain) {
    return context.once<AddedGateway>(
      async (keep) => {
        const added = await admin.gateways.addGateway(context.principal, gateway, keep)
        recentTokens.keep(added.gateway.id, context.user.id, added.token)
        return added
      },
      { to: (added) => `${pathOf(added.gateway.name)}/token`, ...(refused && { refused }) },
    )
  }
}

function form(context: PageContext, values: Record<string, string>, errors: Record<string, string>) {
  const t = texts[context.language]
  return context.show('gateways/new', { title: t.newTitle, t, values, errors })
}

const MOST_DEVICES = 50

function detailPages(pages: Pages, { admin, office }: DashboardDeps): void {
  pages.get('/gateways/:name', async (context) => {
    const details = await find(context)
    const { gateway } = details
    const t = texts[context.language]
    const slice = readSlice('commands', { cursor: context.query.cursor })
    const commands = await admin.commands.listCommands(context.principal, gateway.id, slice)
    const nameOf = await namesOf(admin, context, t)
    const waiting = await admin.commands.waitingAt(context.principal, [gateway.id])
    const devices = await devicesOf(context, details)
    return context.show('gateways/detail', {
      ...(await healthOf(context, details)),
      title: gateway.name,
      headline: 'gateways/headline',
      path: pathOf(gateway.name),
      devices: devices.map(({ device }) => device),
      standing: viewOfStandings(waiting, context, pathOf(gateway.name)),
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
    const open = await openAlerts(office, context)
    const labels = await labelsOf(context, details)
    const heartbeat = gateway.heartbeat
    return {
      t,
      gateway,
      state,
      badge: stateBadge(state, t),
      row: rowOf(details, open, t),
      heartbeat,
      refused,
      refusals,
      conflicts,
      alerts: alertsOf(details, open).length,
      path: pathOf(gateway.name),
      premises: [...new Set(premises.map(({ premisesCode }) => premisesCode))],
      problems: (heartbeat?.problems ?? []).map((problem) => sayReported(problem, context.language)),
      printers: (heartbeat?.printers ?? []).map(({ device_id, state: is, ...said }) => ({
        label: labels.get(device_id) ?? device_id,
        detail: sayPrinter(said, context.language),
        is: wordIn(t.printerStates, is),
      })),
      lastJirAt: momentIn(heartbeat?.last_jir_at),
      oldestAt: momentIn(heartbeat?.queue.oldest_at),
    }
  }

  async function devicesOf({ principal }: PageContext, { gateway }: GatewayDetails) {
    const wanted = { gatewayId: gateway.id, allTenants: false }
    return (await office.fleet.listDevices(principal, wanted, { limit: MOST_DEVICES })).items
  }

  async function labelsOf(context: PageContext, details: GatewayDetails): Promise<Map<string, string>> {
    if ((details.gateway.heartbeat?.printers ?? []).length === 0) return new Map()
    return new Map((await devicesOf(context, details)).map(({ device: { id, label } }) => [id, label]))
  }
}

/** Null for a malformed time. */
const momentIn = (told: string | null | undefined): EpochMs | null => parseInstant(told) ?? null
