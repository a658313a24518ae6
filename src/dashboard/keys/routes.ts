import type { CreatedApiKey } from '../../fiscal/access/api-keys.ts'
import { DEFAULT_SCOPES, SCOPES } from '../../fiscal/access/principal.ts'
import type { ApiKey } from '../../fiscal/ports/model.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { isAboutDevice, readKeyForm } from './form.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin', allCompanies: true } as const
/** Names to choose from while typing; more would be no help. */
const MOST_DEVICES = 200
/** What nothing asks for yet is not offered. */
const OFFERED = SCOPES.filter((scope) => scope !== 'sync')

/** The keys that devices and programs sell with. */
export function keyPages(pages: Pages, { admin, v1, now }: Pick<DashboardDeps, 'admin' | 'v1' | 'now'>): void {
  const recentKeys = createRecentSecrets(now)

  pages.get(
    '/keys',
    async (context) => {
      const t = texts[context.language]
      const keys = (await admin.listApiKeys(context.principal)).toReversed()
      const devices = await labelsOf(context)
      const view = (key: ApiKey) => ({ ...key, device: key.deviceId && (devices.get(key.deviceId) ?? key.deviceId) })
      return context.show('keys/list', {
        title: t.title,
        t,
        keys: keys.filter(({ revokedAt }) => revokedAt === null).map(view),
        revoked: keys.filter(({ revokedAt }) => revokedAt !== null).map(view),
      })
    },
    ADMIN,
  )

  pages.get('/keys/new', (context) => form(context, { scopes: DEFAULT_SCOPES.join(',') }, {}), ADMIN)

  pages.post(
    '/keys',
    async (context) => {
      const t = texts[context.language]
      const read = await readKeyForm(admin, context, t)
      if ('errors' in read) return form(context, context.form, read.errors)
      return context.once<CreatedApiKey>(
        async (keep) => {
          const created = await admin.createApiKey(context.principal, read.wanted, keep)
          recentKeys.keep(created.id, context.user.id, created.key)
          return created
        },
        {
          to: ({ id }) => `/dashboard/keys/${id}/made`,
          refused: (errors, error) =>
            form(context, context.form, isAboutDevice(error) ? { device: t.wrong.device } : errors),
        },
      )
    },
    ADMIN,
  )

  pages.get(
    '/keys/:id/made',
    async (context) => {
      const t = texts[context.language]
      const key = recentKeys.find(context.params.id ?? '', context.user.id)
      return context.show('keys/created', { title: key === undefined ? t.goneTitle : t.madeTitle, t, key })
    },
    ADMIN,
  )

  pages.post(
    '/keys/:id/revoke',
    (context) =>
      context.once((keep) => admin.revokeApiKey(context.principal, context.params.id ?? '', keep), {
        to: '/dashboard/keys',
        notice: 'key_revoked',
      }),
    ADMIN,
  )

  async function form(context: PageContext, values: Record<string, string>, errors: Record<string, string>) {
    const t = texts[context.language]
    const devices = [...new Set((await labelsOf(context)).values())]
    const ticked = new Set((values.scopes ?? '').split(','))
    const scopes = OFFERED.map((scope) => ({ scope, text: t.scopes[scope], ticked: ticked.has(scope) }))
    return context.show('keys/new', { title: t.newTitle, t, values, errors, devices, scopes }, statusOf(errors))
  }

  async function labelsOf({ principal }: PageContext): Promise<Map<string, string>> {
    const { items } = await v1.listDevices(principal, { allTenants: false }, { limit: MOST_DEVICES })
    return new Map(items.map(({ id, label }) => [id, label]))
  }
}
