import type { AddedGateway } from '../../fiscal/gateways/gateways.ts'
import { createShownKeys } from '../keys/shown-keys.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { commandPages } from './commands.ts'
import { detailPages } from './detail.ts'
import { pathOf, rowOf } from './list-view.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const
const LIST = '/dashboard/gateways'
/** More open alerts than that are not counted one by one. */
const MOST_ALERTS = 500

/** The gateways of a central server; a gateway has none, and no such pages. */
export function gatewayPages(pages: Pages, deps: DashboardDeps): void {
  if (deps.role !== 'server') return
  const { admin, office, now } = deps
  const tokens = createShownKeys(now)

  async function look(visit: Visit) {
    const t = texts[visit.language]
    const gateways = await admin.gateways.listGateways(visit.principal)
    const { items } = await office.alerts.list(visit.principal, { state: 'open' }, { limit: MOST_ALERTS })
    return { title: t.title, t, gateways: gateways.map((one) => rowOf(one, items, t)) }
  }

  pages.get('/gateways', async (visit) => visit.show('gateways/list', await look(visit)))
  pages.get('/gateways/rows', async (visit) => visit.part('gateways/rows', await look(visit)))

  pages.get('/gateways/new', (visit) => form(visit, {}, {}), ADMIN)

  pages.post(
    '/gateways',
    async (visit) => {
      const name = (visit.form.name ?? '').trim()
      try {
        return await addOnce(visit, { name, again: false })
      } catch (error) {
        return form(visit, visit.form, visit.errorsOf(error), 422)
      }
    },
    ADMIN,
  )

  pages.post('/gateways/:name/token', (visit) => addOnce(visit, { name: visit.params.name ?? '', again: true }), ADMIN)

  pages.get(
    '/gateways/:name/token',
    async (visit) => {
      const t = texts[visit.language]
      const { gateway } = await admin.gateways.showGateway(visit.principal, visit.params.name ?? '')
      const token = tokens.find(gateway.id, visit.user.id)
      const command = token && `sudo fisk sync enroll https://${hostOf(visit)} ${token}`
      return visit.show('gateways/token', {
        ...{ title: t.tokenTitle(gateway.name), t, command, back: pathOf(gateway.name) },
      })
    },
    ADMIN,
  )

  pages.post(
    '/gateways/:name/revoke',
    (visit) =>
      visit.once(
        (keep) =>
          admin.gateways.revokeGateway(
            visit.principal,
            visit.params.name ?? '',
            { release: visit.form.release === 'yes' },
            keep,
          ),
        LIST,
        'gateway_revoked',
      ),
    ADMIN,
  )

  detailPages(pages, deps)
  commandPages(pages, deps)

  function addOnce(visit: Visit, gateway: { name: string; again: boolean }) {
    return visit.once<AddedGateway>(
      async (keep) => {
        const added = await admin.gateways.addGateway(visit.principal, gateway, keep)
        tokens.keep(added.gateway.id, visit.user.id, added.token)
        return added
      },
      (added) => `${pathOf(added.gateway.name)}/token`,
    )
  }
}

function form(visit: Visit, values: Record<string, string>, errors: Record<string, string>, status = 200) {
  const t = texts[visit.language]
  return visit.show('gateways/new', { title: t.newTitle, t, values, errors }, status)
}

/** Where the reader has found this server; gateways most likely find it there, too. */
function hostOf({ request }: Visit): string {
  const { host = '' } = request.headers
  return /^[\w.:[\]-]{1,255}$/.test(host) ? host : 'SERVER:8443'
}
