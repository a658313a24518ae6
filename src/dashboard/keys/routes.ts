import type { CreatedApiKey, NewApiKey } from '../../fiscal/access/api-keys.ts'
import { DEFAULT_SCOPES, isFleetWide, SCOPES } from '../../fiscal/access/principal.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { showList } from '../lists/list.ts'
import { ADMIN_OF_ALL, type DashboardDeps, type PageContext, type Pages } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { keyList, labelsOf } from './list.ts'
import { texts } from './texts.ts'

/** What nothing asks for yet is not offered. */
const OFFERED = SCOPES.filter((scope) => scope !== 'sync')

export function keyPages(pages: Pages, deps: DashboardDeps): void {
  const { admin, now } = deps
  const recentKeys = createRecentSecrets(now)

  pages.get('/keys', ADMIN_OF_ALL, async (context) => showList(context, await keyList(deps, context)))

  pages.get('/keys/new', ADMIN_OF_ALL, (context) => form(context, { scopes: DEFAULT_SCOPES.join(',') }, {}))

  pages.post('/keys', ADMIN_OF_ALL, async (context) => {
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
        refused: (errors, { code, param }) => {
          // The device of the key belongs to a company of the other mode, or is gone meanwhile.
          const isAboutDevice = code === 'mode_mismatch' || param === 'device_id'
          return form(context, context.form, isAboutDevice ? { device: t.wrong.device } : errors)
        },
      },
    )
  })

  pages.get('/keys/:id/made', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const key = recentKeys.find(context.params.id ?? '', context.user.id)
    return context.show('keys/created', { title: key === undefined ? t.goneTitle : t.madeTitle, t, key })
  })

  pages.post('/keys/:id/revoke', ADMIN_OF_ALL, (context) =>
    context.once((keep) => admin.revokeApiKey(context.principal, context.params.id ?? '', keep), {
      to: '/dashboard/keys',
      notice: 'key_revoked',
    }),
  )

  async function form(context: PageContext, values: Record<string, string>, errors: Record<string, string>) {
    const t = texts[context.language]
    const devices = [...new Set((await labelsOf(deps, context)).values())]
    const ticked = new Set((values.scopes ?? '').split(','))
    const scopes = OFFERED.map((value) => ({ value, text: t.scopes[value], checked: ticked.has(value) }))
    const modes = (['test', 'live'] as const).map((value) => {
      return { value, text: t[value], hint: t[`${value}Hint`], checked: values.mode === value }
    })
    return context.show('keys/new', { title: t.newTitle, t, values, errors, devices, modes, scopes })
  }
}

type Errors = Record<string, string>

async function readKeyForm(
  admin: Pick<AdminUseCases, 'devicesNamed'>,
  { form, principal }: PageContext,
  t: (typeof texts)['hr'],
): Promise<{ wanted: NewApiKey } | { errors: Errors }> {
  const errors: Errors = {}
  const name = (form.name ?? '').trim()
  if (name === '' || name.length > 200) errors.name = t.wrong.name
  const mode = form.mode === 'test' || form.mode === 'live' ? form.mode : undefined
  if (mode === undefined) errors.mode = t.wrong.mode
  const scopes = SCOPES.filter((scope) => (form.scopes ?? '').split(',').includes(scope))
  if (scopes.length === 0) errors.scopes = t.wrong.scopes
  const label = (form.device ?? '').trim()
  if (label !== '' && scopes.some(isFleetWide)) errors.scopes = t.wrong.fleetWide
  const devices = label === '' ? [] : await admin.devicesNamed(principal, label)
  if (label !== '' && devices.length === 0) errors.device = t.wrong.device
  if (devices.length > 1) errors.device = t.wrong.manyDevices(devices.length)
  if (mode === undefined || Object.keys(errors).length > 0) return { errors }
  return { wanted: { name, mode, scopes, deviceId: devices[0]?.id ?? null } }
}
