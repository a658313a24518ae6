import type { User } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { Notice, PageContext, Pages } from '../page-routes.ts'
import { inWords, readNewUser, readUser } from './form.ts'
import { linkPages } from './links.ts'
import { ADMIN, findUser, showForm, showUser, type UserPageDeps, viewOf } from './page.ts'
import { texts } from './texts.ts'

const LIST = '/dashboard/users'

/** Who may sign in. */
export function userPages(pages: Pages, deps: UserPageDeps): void {
  const { admin, office } = deps

  pages.get(
    '/users',
    async (context) => {
      const t = texts[context.language]
      const users = (await admin.listUsers(context.principal)).map(viewOf)
      return context.show('users/list', { title: t.title, t, users })
    },
    ADMIN,
  )

  pages.get('/users/new', (context) => showForm(deps, context, 'new'), ADMIN)
  pages.get('/users/:id', async (context) => showUser(deps, context, await findUser(deps, context)), ADMIN)

  pages.post(
    '/users',
    async (context) => {
      const t = texts[context.language]
      const read = readNewUser(context, t)
      if ('errors' in read) return showForm(deps, context, 'new', context.form, read.errors)
      return context.once<User>((keep) => admin.addUser(context.principal, read.wanted, keep), {
        to: LIST,
        notice: 'user_added',
        refused: (errors, error) => showForm(deps, context, 'new', context.form, inWords(errors, error, t)),
      })
    },
    ADMIN,
  )

  pages.post(
    '/users/:id',
    async (context) => {
      const user = await findUser(deps, context)
      // Of oneself neither the role nor the address is asked for.
      const isSelf = user.id === context.user.id
      const read = readUser({ role: user.role, ...context.form }, texts[context.language])
      if ('errors' in read) return showUser(deps, context, user, context.form, read.errors)
      const wanted = { ...read.wanted, ...(isSelf && context.form.email === undefined && { email: user.email }) }
      return change(context, (id, keep) => office.accounts.changeUser(context.principal, id, wanted, keep), 'saved')
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/password',
    async (context) => {
      const password = (context.form.password ?? '').slice(0, DASHBOARD_BOUNDS.password.most + 1)
      if (password.length > DASHBOARD_BOUNDS.password.most) {
        return showUser(deps, context, await findUser(deps, context), context.form, {
          password: texts[context.language].wrong.password,
        })
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

  linkPages(pages, deps)

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
        showUser(
          deps,
          context,
          await findUser(deps, context),
          context.form,
          inWords(errors, error, texts[context.language]),
        ),
    })
  }
}
