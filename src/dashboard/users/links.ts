import { type MadeLink, PASSWORD_LINK_PATH } from '../../fiscal/access/password-links.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { hostOf } from '../addresses.ts'
import type { PageContext, Pages, ShowAgain } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { inWords, readInvitation } from './form.ts'
import { linkLetter } from './letter.ts'
import { ADMIN, findUser, showForm, showUser, type UserPageDeps } from './page.ts'
import { texts } from './texts.ts'

/** Inviting users, and sending links with which they set a password. */
export function linkPages(pages: Pages, deps: UserPageDeps): void {
  const { passwordLinks } = deps.office
  const recentLinks = createRecentSecrets(deps.now)

  pages.get('/users/invite', (context) => showForm(deps, context, 'invite'), ADMIN)

  pages.post(
    '/users/invitations',
    async (context) => {
      const t = texts[context.language]
      const read = readInvitation(context, t)
      if ('errors' in read) return showForm(deps, context, 'invite', context.form, read.errors)
      return sendOnce(
        context,
        (keep) => passwordLinks.invite(context.principal, read.wanted, linkLetter, keep),
        (errors, error) => showForm(deps, context, 'invite', context.form, inWords(errors, error, t)),
      )
    },
    ADMIN,
  )

  pages.post(
    '/users/:id/link',
    (context) =>
      sendOnce(
        context,
        (keep) => passwordLinks.send(context.principal, context.params.id ?? '', linkLetter, keep),
        async (errors, error) => {
          const wrong = inWords(errors, error, texts[context.language])
          return showUser(deps, context, await findUser(deps, context), undefined, wrong)
        },
      ),
    ADMIN,
  )

  pages.get(
    '/users/:id/link',
    async (context) => {
      const t = texts[context.language]
      const user = await findUser(deps, context)
      const token = recentLinks.find(user.id, context.user.id)
      const link = token && `https://${hostOf(context.request)}${PASSWORD_LINK_PATH}/${token}`
      return context.show('users/link', { title: t.linkTitle(user.name), t, link, user: user.id })
    },
    ADMIN,
  )

  /** What was not mailed is shown on a page of its own. */
  function sendOnce(context: PageContext, work: (keep: Keep<MadeLink>) => Promise<MadeLink>, refused: ShowAgain) {
    return context.once<MadeLink>(
      async (keep) => {
        const made = await work(keep)
        if (made.token !== null) recentLinks.keep(made.user.id, context.user.id, made.token)
        return made
      },
      {
        to: ({ user, token }) => `/dashboard/users/${user.id}${token === null ? '?notice=link_sent' : '/link'}`,
        refused,
      },
    )
  }
}
