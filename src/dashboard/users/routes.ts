import { notFound } from '../../domain/errors.ts'
import { LANGUAGES, ROLES, type User } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { companyChoices } from '../company-choices.ts'
import { type DashboardDeps, type Notice, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { inWords, readNewUser, readUser } from './form.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin', allCompanies: true } as const
const LIST = '/dashboard/users'
type Texts = Record<string, string>

/** Who may sign in. */
export function userPages(pages: Pages, { admin, office, v1 }: Pick<DashboardDeps, 'admin' | 'office' | 'v1'>): void {
  pages.get(
    '/users',
    async (context) => {
      const t = texts[context.language]
      const users = (await admin.listUsers(context.principal)).map(viewOf)
      return context.show('users/list', { title: t.title, t, users })
    },
    ADMIN,
  )

  pages.get('/users/new', (context) => newForm(context, { language: context.language, wantsMail: 'yes' }, {}), ADMIN)
  pages.get('/users/:id', async (context) => one(context, await find(context)), ADMIN)

  pages.post(
    '/users',
    async (context) => {
      const t = texts[context.language]
      const read = readNewUser(context, t)
      if ('errors' in read) return newForm(context, context.form, read.errors)
      return context.once<User>((keep) => admin.addUser(context.principal, read.wanted, keep), {
        to: LIST,
        notice: 'user_added',
        refused: (errors, error) => newForm(context, context.form, inWords(errors, error, t)),
      })
    },
    ADMIN,
  )

  pages.post(
    '/users/:id',
    async (context) => {
      const user = await find(context)
      // Of oneself the role is not asked for.
      const read = readUser({ role: user.role, ...context.form }, texts[context.language])
      if ('errors' in read) return one(context, user, context.form, read.errors)
      const { wanted } = read
      return change(context, (id, keep) => office.accounts.changeUser(context.principal, id, wanted, keep), 'saved')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/password',
    async (context) => {
      const password = (context.form.password ?? '').slice(0, DASHBOARD_BOUNDS.password.most + 1)
      if (password.length > DASHBOARD_BOUNDS.password.most) {
        return one(context, await find(context), context.form, { password: texts[context.language].wrong.password })
      }
      const reset = (id: string, keep: Keep<User>) => office.accounts.reset(context.principal, id, { password }, keep)
      return change(context, reset, 'user_password')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/second-factor',
    (context) => {
      const reset = (id: string, keep: Keep<User>) =>
        office.accounts.reset(context.principal, id, { secondFactor: true }, keep)
      return change(context, reset, 'user_factor')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/remove',
    (context) => change(context, (id, keep) => admin.removeUser(context.principal, id, keep), 'user_removed', LIST),
    ADMIN,
  )

  function change(
    context: PageContext,
    work: (id: string, keep: Keep<User>) => Promise<User>,
    notice: Notice,
    to = `${LIST}/${context.params.id}`,
  ) {
    return context.once<User>((keep) => work(context.params.id ?? '', keep), {
      to,
      notice,
      refused: async (errors, error) =>
        one(context, await find(context), context.form, inWords(errors, error, texts[context.language])),
    })
  }

  async function find({ principal, params }: PageContext): Promise<User> {
    const user = (await admin.listUsers(principal)).find(({ id }) => id === params.id)
    if (!user) throw notFound('user', 'there is no such user')
    return user
  }

  async function one(context: PageContext, user: User, sent?: Texts, errors: Texts = {}) {
    const t = texts[context.language]
    const { email, language, wantsMail, role, companyIds } = user
    const limit: Texts = companyIds ? { reach: 'some', companies: companyIds.join() } : { reach: 'all' }
    const stored: Texts = { role, language, email: email ?? '', ...limit, ...(wantsMail && { wantsMail: 'yes' }) }
    const values = sent ?? stored
    const shown = { user: viewOf(user), values, errors, isSelf: user.id === context.user.id }
    const offered = await choices(context, values)
    return context.show('users/detail', { title: user.name, t, ...shown, ...offered }, statusOf(errors))
  }

  async function newForm(context: PageContext, values: Texts, errors: Texts) {
    const t = texts[context.language]
    const offered = await choices(context, values)
    return context.show('users/new', { title: t.newTitle, t, values, errors, ...offered }, statusOf(errors))
  }

  async function choices({ principal, language }: PageContext, values: Texts) {
    const t = texts[language]
    return {
      roles: ROLES.map((role) => ({ value: role, text: `${t.roles[role]}: ${t.roleHints[role]}` })),
      languages: LANGUAGES.map((one) => ({ value: one, text: t.languages[one] })),
      companies: await companyChoices(v1, principal, (values.companies ?? '').split(',')),
    }
  }
}

/** A user without the secrets. */
function viewOf({ passwordHash, sealedTotp, totpStep, ...user }: User) {
  return { ...user, hasSecondFactor: sealedTotp !== null }
}
