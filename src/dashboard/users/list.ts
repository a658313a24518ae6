import { isInvited } from '../../fiscal/access/users.ts'
import type { User } from '../../fiscal/ports/model.ts'
import { companyChoices } from '../company-choices.ts'
import type { List } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/users'

export async function userList({ admin, v1 }: DashboardDeps, context: PageContext): Promise<List<User>> {
  const { principal, query, language } = context
  const t = texts[language]
  const companies = await companyChoices(v1, principal, [])
  const rows = await admin.listUsers(principal)
  const reachOf = ({ companyIds }: User) =>
    companyIds === null
      ? t.reaches.all
      : companies.flatMap(({ value, name }) => (companyIds.includes(value) ? [name] : [])).join(', ')
  return {
    title: t.title,
    path: HERE,
    query,
    about: t.about,
    count: rows.length,
    none: '',
    rows,
    file: 'users',
    columns: [
      {
        title: t.name,
        cell: ({ name }) => name,
        page: (user) => ({
          text: user.name,
          href: `${HERE}/${user.id}`,
          more: user.id === context.user.id ? `(${t.you})` : null,
          pills: [isInvited(user) && { kind: 'plain', text: t.invited }],
        }),
        place: 'm1',
      },
      {
        title: t.role,
        cell: ({ role }) => t.roles[role],
        page: ({ role, isPlatformAdmin }) => ({
          text: t.roles[role],
          pills: [isPlatformAdmin && { kind: 'warn', text: t.platformAdmin }],
        }),
        place: 'm3 c-state',
      },
      { title: t.reach, cell: reachOf, place: 'm2' },
      {
        title: t.email,
        cell: ({ email }) => email ?? t.noEmail,
        page: ({ email, wantsMail }) => ({
          text: email ?? t.noEmail,
          more: email && `(${wantsMail ? t.mailed : t.notMailed})`,
        }),
        place: 'rank2',
      },
      { title: t.secondFactor, cell: ({ sealedTotp }) => (sealedTotp === null ? t.off : t.on), place: 'm4 c-state' },
    ],
    links: [{ href: `${HERE}/new`, text: t.add }],
    add: { href: `${HERE}/invite`, text: t.invite },
  }
}
