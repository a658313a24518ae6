import type { AddedGateway } from '../../fiscal/gateways/gateways.ts'
import { hostOf } from '../addresses.ts'
import { type DashboardDeps, type PageContext, type Pages, type ShowAgain, statusOf } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { commandPages } from './commands.ts'
import { detailPages } from './detail.ts'
import { pathOf, rowOf } from './list-view.ts'
import { texts } from './texts.ts'

/** A gateway sells for several companies: users who are limited to some see its machines only. */
const ALL = { allCompanies: true } as const
const ADMIN = { role: 'admin', allCompanies: true } as const
const LIST = '/dashboard/gateways'
/** More open alerts than that are not counted one by one. */
const MOST_ALERTS = 500

/** The gateways of a central server; a gateway has none, and no such pages. */
export function gatewayPages(pages: Pages, deps: DashboardDeps): void {
  if (deps.role !== 'server') return
  const { admin, office, now } = deps
  const recentTokens = createRecentSecrets(now)

  async function listOf(context: PageContext) {
    const t = texts[context.language]
    const gateways = await admin.gateways.listGateways(context.principal)
    const { items } = await office.alerts.list(context.principal, { state: 'open' }, { limit: MOST_ALERTS })
    return { title: t.title, t, gateways: gateways.map((one) => rowOf(one, items, t)) }
  }

  pages.get('/gateways', async (context) => context.show('gateways/list', await listOf(context)), ALL)
  pages.get('/gateways/rows', async (context) => context.fragment('gateways/rows', await listOf(context)), ALL)

  pages.get('/gateways/new', (context) => form(context, {}, {}), ADMIN)

  pages.post(
    '/gateways',
    (context) => {
      const name = (context.form.name ?? '').trim()
      return addOnce(context, { name, again: false }, (errors) => form(context, context.form, errors))
    },
    ADMIN,
  )

  pages.post(
    '/gateways/:name/token',
    (context) => addOnce(context, { name: context.params.name ?? '', again: true }),
    ADMIN,
  )

  pages.get(
    '/gateways/:name/token',
    async (context) => {
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
    },
    ADMIN,
  )

  pages.post(
    '/gateways/:name/revoke',
    (context) =>
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
    ADMIN,
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
  return context.show('gateways/new', { title: t.newTitle, t, values, errors }, statusOf(errors))
}
