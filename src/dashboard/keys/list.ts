import type { ApiKey } from '../../fiscal/ports/model.ts'
import { momentCell } from '../../reports/tables/cells.ts'
import type { List } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/keys'
/** Names to choose from while typing; more would be no help. */
const MOST_DEVICES = 200

export async function labelsOf(
  { v1 }: Pick<DashboardDeps, 'v1'>,
  { principal }: PageContext,
): Promise<Map<string, string>> {
  const { items } = await v1.listDevices(principal, { allTenants: false }, { limit: MOST_DEVICES })
  return new Map(items.map(({ id, label }) => [id, label]))
}

/** The keys of devices and programs, the latest first; revoked ones are shown when they are asked for. */
export async function keyList(deps: DashboardDeps, context: PageContext): Promise<List<ApiKey>> {
  const { query, language } = context
  const t = texts[language]
  const keys = (await deps.admin.listApiKeys(context.principal)).toReversed()
  const devices = await labelsOf(deps, context)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  const isRevoked = query.state === 'revoked'
  const rows = isRevoked ? revoked : keys.filter(({ revokedAt }) => revokedAt === null)
  const nameOf = ({ name }: ApiKey) => name ?? t.nameless
  const scopes: Record<string, string> = t.scopes
  return {
    title: t.title,
    path: HERE,
    query,
    about: t.about,
    count: rows.length,
    none: t.none,
    rows,
    file: 'keys',
    columns: [
      { title: t.name, cell: nameOf, place: 'm1' },
      { title: t.mode, cell: ({ mode }) => t[mode], place: 'm3 c-state' },
      { title: t.may, cell: (key) => key.scopes.map((scope) => scopes[scope] ?? scope).join(', '), place: 'rank3' },
      {
        title: t.device,
        cell: ({ deviceId }) => (deviceId ? (devices.get(deviceId) ?? deviceId) : t.anyDevice),
        place: 'm2',
      },
      { title: t.created, cell: ({ createdAt }) => ({ day: createdAt }), place: 'm4 c-when' },
      isRevoked
        ? { title: t.revoked, cell: ({ revokedAt }) => momentCell(revokedAt), place: 'rank2 c-when' }
        : {
            title: t.revoke,
            page: (key) => ({
              button: {
                action: `${HERE}/${key.id}/revoke`,
                text: t.revoke,
                label: t.revokeWhich(nameOf(key)),
                confirm: t.confirm(nameOf(key)),
                danger: true,
              },
            }),
            place: 'c-when m5',
          },
    ],
    filters: [
      {
        name: 'state',
        title: t.state,
        all: t.used,
        entries: [{ value: 'revoked', text: t.revokedOnes, count: revoked.length }],
      },
    ],
    add: { href: `${HERE}/new`, text: t.add },
  }
}
