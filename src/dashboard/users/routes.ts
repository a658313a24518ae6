import { type FiskError, notFound } from '../../domain/errors.ts'
import type { UserChanges } from '../../fiscal/access/accounts.ts'
import { type Invitation, type MadeLink, PASSWORD_LINK_PATH } from '../../fiscal/access/password-links.ts'
import { isInvited, type NewUser } from '../../fiscal/access/users.ts'
import { LANGUAGES, ROLES, type User } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { hostOf } from '../addresses.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { companyChoices, reachIn, readCompanies } from '../company-choices.ts'
import { showList } from '../lists/list.ts'
import {
  ADMIN_OF_ALL,
  type DashboardDeps,
  type Notice,
  type PageContext,
  type Pages,
  type ShowAgain,
} from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { linkLetter } from './letter.ts'
import { userList } from './list.ts'
import { texts } from './texts.ts'

const LIST = '/dashboard/users'

export function userPages(pages: Pages, deps: DashboardDeps): void {
  const { admin, office } = deps

  pages.get('/users', ADMIN_OF_ALL, async (context) => showList(context, await userList(deps, context)))
  pages.get('/users/new', ADMIN_OF_ALL, (context) => showForm(deps, context, 'new'))
  pages.get('/users/:id', ADMIN_OF_ALL, async (context) => showUser(deps, context, await findUser(deps, context)))

  pages.post('/users', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const read = readNewUser(context, t)
    if ('errors' in read) return showForm(deps, context, 'new', context.form, read.errors)
    return context.once<User>((keep) => admin.addUser(context.principal, read.wanted, keep), {
      to: LIST,
      notice: 'user_added',
      refused: (errors, error) => showForm(deps, context, 'new', context.form, inWords(errors, error, t)),
    })
  })

  pages.post('/users/:id', ADMIN_OF_ALL, async (context) => {
    const user = await findUser(deps, context)
    // Of oneself neither the role nor the address is asked for.
    const isSelf = user.id === context.user.id
    const read = readUser({ role: user.role, reach: 'all', ...context.form }, texts[context.language])
    if ('errors' in read) return showUser(deps, context, user, context.form, read.errors)
    const wanted = { ...read.wanted, ...(isSelf && context.form.email === undefined && { email: user.email }) }
    return change(context, (id, keep) => office.accounts.changeUser(context.principal, id, wanted, keep), 'saved')
  })

  pages.post('/users/:id/password', ADMIN_OF_ALL, async (context) => {
    const { password = '' } = context.form
    if (password.length > DASHBOARD_BOUNDS.password.most) {
      const wrong = { password: texts[context.language].wrong.password }
      return showUser(deps, context, await findUser(deps, context), context.form, wrong)
    }
    const reset = (id: string, keep: Keep<User>) => office.accounts.reset(context.principal, id, { password }, keep)
    return change(context, reset, 'user_password')
  })

  pages.post('/users/:id/second-factor', ADMIN_OF_ALL, (context) => {
    const reset = (id: string, keep: Keep<User>) =>
      office.accounts.reset(context.principal, id, { secondFactor: true }, keep)
    return change(context, reset, 'user_factor')
  })

  pages.post('/users/:id/remove', ADMIN_OF_ALL, (context) =>
    change(context, (id, keep) => admin.removeUser(context.principal, id, keep), 'user_removed', LIST),
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
      refused: refusedOn(deps, context, context.form),
    })
  }
}

function linkPages(pages: Pages, deps: DashboardDeps): void {
  const { passwordLinks } = deps.office
  const recentLinks = createRecentSecrets(deps.now)
  const letterOf = async ({ user }: PageContext) =>
    linkLetter(`${user.name} (${(await deps.office.branding.find(user.tenantId)) ?? 'fiskd'})`)

  pages.get('/users/invite', ADMIN_OF_ALL, (context) => showForm(deps, context, 'invite'))

  pages.post('/users/invitations', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const read = readInvitation(context, t)
    if ('errors' in read) return showForm(deps, context, 'invite', context.form, read.errors)
    return sendOnce(
      context,
      async (keep) => passwordLinks.invite(context.principal, read.wanted, await letterOf(context), keep),
      (errors, error) => showForm(deps, context, 'invite', context.form, inWords(errors, error, t)),
    )
  })

  pages.post('/users/:id/link', ADMIN_OF_ALL, (context) =>
    sendOnce(
      context,
      async (keep) => passwordLinks.send(context.principal, context.params.id ?? '', await letterOf(context), keep),
      refusedOn(deps, context),
    ),
  )

  pages.get('/users/:id/link', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const user = await findUser(deps, context)
    const token = recentLinks.find(user.id, context.user.id)
    const link = token && `https://${hostOf(context.request)}${PASSWORD_LINK_PATH}/${token}`
    return context.show('users/link', { title: t.linkTitle(user.name), t, link, user: user.id })
  })

  /** What was not mailed is shown on a page of its own. */
  function sendOnce(context: PageContext, work: (keep: Keep<MadeLink>) => Promise<MadeLink>, refused: ShowAgain) {
    return context.once<MadeLink>(
      async (keep) => {
        const made = await work(keep)
        if (made.token !== null) recentLinks.keep(made.user.id, context.user.id, made.token)
        return made
      },
      {
        to: ({ user, token }) => `${LIST}/${user.id}${token === null ? '?notice=link_sent' : '/link'}`,
        refused,
      },
    )
  }
}

type Texts = Record<string, string>

/** @throws FiskError 404 */
async function findUser({ admin }: DashboardDeps, context: PageContext): Promise<User> {
  const user = (await admin.listUsers(context.principal)).find(({ id }) => id === context.params.id)
  if (!user) throw notFound('user', 'there is no such user')
  return user
}

async function showUser(
  deps: DashboardDeps,
  context: PageContext,
  user: User,
  sent?: Texts,
  errors: Texts = {},
): Promise<unknown> {
  const t = texts[context.language]
  const { email, language, wantsMail, role, companyIds } = user
  const limit = { reach: reachIn(context.query, companyIds ? 'some' : 'all'), companies: companyIds?.join() ?? '' }
  const stored: Texts = { role, language, email: email ?? '', ...limit, ...(wantsMail && { wantsMail: 'yes' }) }
  const values = sent ?? stored
  const { passwordLinks } = deps.office
  const link = await passwordLinks.sent(context.principal, user)
  const isExpired = link.expiresAt !== null && link.expiresAt <= deps.now()
  const { passwordHash, sealedTotp, totpStep, ...open } = user
  const view = { ...open, hasSecondFactor: sealedTotp !== null, isInvited: isInvited({ passwordHash }) }
  const shown = { user: view, values, errors, isSelf: user.id === context.user.id }
  const offered = await choices(deps, context, values)
  const links = { link: { ...link, isExpired }, mails: link.mails, isMailed: passwordLinks.canMail && email !== null }
  const head = { title: user.name, crumb: { href: LIST, text: t.title } }
  return context.show('users/detail', { t, ...head, ...shown, ...links, ...offered })
}

const refusedOn =
  (deps: DashboardDeps, context: PageContext, sent?: Texts): ShowAgain =>
  async (errors, error) =>
    showUser(deps, context, await findUser(deps, context), sent, inWords(errors, error, texts[context.language]))

async function showForm(
  deps: DashboardDeps,
  context: PageContext,
  form: 'new' | 'invite',
  sent?: Texts,
  errors: Texts = {},
): Promise<unknown> {
  const t = texts[context.language]
  const isInvitation = form === 'invite'
  const title = isInvitation ? t.inviteTitle : t.newTitle
  const { canMail } = deps.office.passwordLinks
  const offered = await choices(deps, context, sent ?? {})
  const reach = reachIn(context.query, offered.companies.length > 1 ? 'some' : 'all')
  const values = sent ?? { language: context.language, wantsMail: 'yes', reach }
  return context.show('users/new', { title, t, isInvitation, values, errors, canMail, ...offered })
}

async function choices({ v1 }: DashboardDeps, { principal, language }: PageContext, values: Texts) {
  const t = texts[language]
  return {
    roles: ROLES.map((role) => ({ value: role, text: `${t.roles[role]}: ${t.roleHints[role]}` })),
    languages: LANGUAGES.map((one) => ({ value: one, text: t.languages[one] })),
    companies: await companyChoices(v1, principal, (values.companies ?? '').split(',')),
  }
}

type T = (typeof texts)['hr']
type Wanted = Required<Omit<UserChanges, 'mailCompanyIds'>>
type Read<V> = { wanted: V } | { errors: Record<string, string> }

const NAME = new RegExp(`^[^\\s\\p{C}]{1,${DASHBOARD_BOUNDS.userName.most}}$`, 'u')

function readNewUser({ form }: PageContext, t: T): Read<NewUser> {
  const name = (form.name ?? '').trim()
  const password = form.password ?? ''
  const read = readUser(form, t)
  const errors = {
    ...('errors' in read && read.errors),
    ...(!NAME.test(name) && { name: t.wrong.name }),
    ...((password.length < 12 || password.length > DASHBOARD_BOUNDS.password.most) && { password: t.wrong.password }),
  }
  if ('errors' in read || Object.keys(errors).length > 0) return { errors }
  // Only the command line makes platform administrators.
  return { wanted: { ...read.wanted, name, password, isPlatformAdmin: false } }
}

function readInvitation({ form }: PageContext, t: T): Read<Invitation> {
  const read = readUser(form, t)
  if ('wanted' in read && read.wanted.email !== null) return { wanted: { ...read.wanted, email: read.wanted.email } }
  return { errors: { ...('errors' in read && read.errors), ...(!form.email?.trim() && { email: t.wrong.email }) } }
}

function readUser(form: Record<string, string>, t: T): Read<Wanted> {
  const role = ROLES.find((one) => one === form.role)
  const language = LANGUAGES.find((one) => one === form.language)
  const email = (form.email ?? '').trim().toLowerCase() || null
  const wantsMail = form.wantsMail === 'yes'
  const companyIds = readCompanies(form)
  const isReach = companyIds !== undefined && companyIds?.length !== 0
  if (role && language && isReach) return { wanted: { role, language, email, wantsMail, companyIds } }
  return {
    errors: {
      ...(!role && { role: t.wrong.role }),
      ...(!language && { language: t.wrong.language }),
      ...(!isReach && { companies: companyIds ? t.wrong.companies : t.wrong.reach }),
    },
  }
}

/** A refusal in the words of these forms, by field. */
function inWords(errors: Texts, { code, param, status }: FiskError, { wrong }: T): Texts {
  if (param === 'password') return code === 'invalid_request' ? { password: wrong.password } : errors
  if (param === 'user') return status === 409 ? { form: wrong.last } : errors
  if (param === 'email' && status === 409) return { form: wrong.ownEmail }
  // About the mail, not about its address, which was checked.
  if (param === 'to') return { form: errors.to ?? '' }
  const companies = wrong.companies
  const known: Record<string, string> = { name: wrong.taken, email: wrong.email, role: wrong.ownRole, companies }
  const text = known[param ?? '']
  return param === null || text === undefined ? errors : { [param]: text }
}
