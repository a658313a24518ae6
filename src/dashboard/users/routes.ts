import { notFound } from '../../domain/errors.ts'
import { LANGUAGES, ROLES, type User } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { DashboardDeps, Notice, Pages, Visit } from '../page-routes.ts'
import { readNewUser, readUser, refusalOf } from './form.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const
const LIST = '/dashboard/users'
type Texts = Record<string, string>

/** Who may sign in. */
export function userPages(pages: Pages, { admin, office }: Pick<DashboardDeps, 'admin' | 'office'>): void {
  pages.get(
    '/users',
    async (visit) => {
      const t = texts[visit.language]
      const users = (await admin.listUsers(visit.principal)).map(viewOf)
      return visit.show('users/list', { title: t.title, t, users })
    },
    ADMIN,
  )

  pages.get('/users/new', (visit) => newForm(visit, { language: visit.language, wantsMail: 'yes' }, {}), ADMIN)

  pages.post(
    '/users',
    async (visit) => {
      const t = texts[visit.language]
      const read = readNewUser(visit, t)
      if ('errors' in read) return newForm(visit, visit.form, read.errors, 422)
      try {
        const { wanted } = read
        return await visit.once((keep) => admin.addUser(visit.principal, wanted, keep), LIST, 'user_added')
      } catch (error) {
        return newForm(visit, visit.form, refusalOf(error, visit, t), 422)
      }
    },
    ADMIN,
  )

  pages.get('/users/:id', async (visit) => one(visit, await find(visit)), ADMIN)

  pages.post(
    '/users/:id',
    async (visit) => {
      const user = await find(visit)
      // Of oneself the role is not asked for.
      const read = readUser({ role: user.role, ...visit.form }, texts[visit.language])
      if ('errors' in read) return one(visit, user, visit.form, read.errors, 422)
      const { wanted } = read
      return attempt(visit, (id, keep) => office.accounts.changeUser(visit.principal, id, wanted, keep), 'saved')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/password',
    async (visit) => {
      const password = (visit.form.password ?? '').slice(0, DASHBOARD_BOUNDS.password.most + 1)
      if (password.length > DASHBOARD_BOUNDS.password.most) {
        return one(visit, await find(visit), visit.form, { password: texts[visit.language].wrong.password }, 422)
      }
      const reset = (id: string, keep: Keep<User>) => office.accounts.reset(visit.principal, id, { password }, keep)
      return attempt(visit, reset, 'user_password')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/second-factor',
    (visit) => {
      const reset = (id: string, keep: Keep<User>) =>
        office.accounts.reset(visit.principal, id, { secondFactor: true }, keep)
      return attempt(visit, reset, 'user_factor')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/remove',
    (visit) => attempt(visit, (id, keep) => admin.removeUser(visit.principal, id, keep), 'user_removed', LIST),
    ADMIN,
  )

  async function attempt(
    visit: Visit,
    work: (id: string, keep: Keep<User>) => Promise<User>,
    notice: Notice,
    to = `${LIST}/${visit.params.id}`,
  ) {
    try {
      return await visit.once<User>((keep) => work(visit.params.id ?? '', keep), to, notice)
    } catch (error) {
      const errors = refusalOf(error, visit, texts[visit.language])
      return one(visit, await find(visit), visit.form, errors, 422)
    }
  }

  async function find({ principal, params }: Visit): Promise<User> {
    const user = (await admin.listUsers(principal)).find(({ id }) => id === params.id)
    if (!user) throw notFound('user', 'there is no such user')
    return user
  }

  function one(visit: Visit, user: User, values?: Texts, errors: Texts = {}, status = 200) {
    const t = texts[visit.language]
    const { email, language, wantsMail, role } = user
    const stored: Texts = { role, language, email: email ?? '', ...(wantsMail && { wantsMail: 'yes' }) }
    const shown = { user: viewOf(user), values: values ?? stored, errors, isSelf: user.id === visit.user.id }
    return visit.show('users/one', { title: user.name, t, ...shown, ...choices(t) }, status)
  }

  function newForm(visit: Visit, values: Texts, errors: Texts, status = 200) {
    const t = texts[visit.language]
    return visit.show('users/new', { title: t.newTitle, t, values, errors, ...choices(t) }, status)
  }
}

function choices(t: (typeof texts)['hr']) {
  return {
    roles: ROLES.map((role) => ({ value: role, text: `${t.roles[role]}: ${t.roleHints[role]}` })),
    languages: LANGUAGES.map((language) => ({ value: language, text: t.languages[language] })),
  }
}

/** Without what nobody is to see. */
function viewOf({ passwordHash, sealedTotp, totpStep, ...user }: User) {
  return { ...user, hasSecondFactor: sealedTotp !== null }
}
