import type { CreatedApiKey } from '../../fiscal/access/api-keys.ts'
import { DEFAULT_SCOPES, SCOPES } from '../../fiscal/access/principal.ts'
import type { ApiKey } from '../../fiscal/ports/model.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { isAboutDevice, readKeyForm } from './form.ts'
import { createShownKeys } from './shown-keys.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const
/** Names to choose from while typing; more would be no help. */
const MOST_DEVICES = 200
/** What nothing asks for yet is not offered. */
const OFFERED = SCOPES.filter((scope) => scope !== 'sync')

/** The keys that devices and programs sell with. */
export function keyPages(pages: Pages, { admin, v1, now }: Pick<DashboardDeps, 'admin' | 'v1' | 'now'>): void {
  const shown = createShownKeys(now)

  pages.get(
    '/keys',
    async (visit) => {
      const t = texts[visit.language]
      const keys = (await admin.listApiKeys(visit.principal)).toReversed()
      const devices = await labelsOf(visit)
      const view = (key: ApiKey) => ({ ...key, device: key.deviceId && (devices.get(key.deviceId) ?? key.deviceId) })
      return visit.show('keys/list', {
        ...{ title: t.title, t },
        keys: keys.filter(({ revokedAt }) => revokedAt === null).map(view),
        revoked: keys.filter(({ revokedAt }) => revokedAt !== null).map(view),
      })
    },
    ADMIN,
  )

  pages.get('/keys/new', (visit) => form(visit, { scopes: DEFAULT_SCOPES.join(',') }, {}), ADMIN)

  pages.post(
    '/keys',
    async (visit) => {
      const t = texts[visit.language]
      const read = await readKeyForm(admin, visit, t)
      if ('errors' in read) return form(visit, visit.form, read.errors, 422)
      try {
        return await visit.once<CreatedApiKey>(
          async (keep) => {
            const created = await admin.createApiKey(visit.principal, read.wanted, keep)
            shown.keep(created.id, visit.user.id, created.key)
            return created
          },
          ({ id }) => `/dashboard/keys/${id}/made`,
        )
      } catch (error) {
        const errors = isAboutDevice(error) ? { device: t.wrong.device } : visit.errorsOf(error)
        return form(visit, visit.form, errors, 422)
      }
    },
    ADMIN,
  )

  pages.get(
    '/keys/:id/made',
    async (visit) => {
      const t = texts[visit.language]
      const key = shown.find(visit.params.id ?? '', visit.user.id)
      return visit.show('keys/made', { title: key === undefined ? t.goneTitle : t.madeTitle, t, key })
    },
    ADMIN,
  )

  pages.post(
    '/keys/:id/revoke',
    (visit) =>
      visit.once(
        (keep) => admin.revokeApiKey(visit.principal, visit.params.id ?? '', keep),
        '/dashboard/keys',
        'key_revoked',
      ),
    ADMIN,
  )

  async function form(visit: Visit, values: Record<string, string>, errors: Record<string, string>, status = 200) {
    const t = texts[visit.language]
    const devices = [...new Set((await labelsOf(visit)).values())]
    const ticked = new Set((values.scopes ?? '').split(','))
    const scopes = OFFERED.map((scope) => ({ scope, text: t.scopes[scope], ticked: ticked.has(scope) }))
    return visit.show('keys/new', { title: t.newTitle, t, values, errors, devices, scopes }, status)
  }

  async function labelsOf({ principal }: Visit): Promise<Map<string, string>> {
    const { items } = await v1.listDevices(principal, { allTenants: false }, { limit: MOST_DEVICES })
    return new Map(items.map(({ id, label }) => [id, label]))
  }
}
