import { notFound } from '../../domain/errors.ts'
import { isInvited } from '../../fiscal/access/users.ts'
import { LANGUAGES, ROLES, type User } from '../../fiscal/ports/model.ts'
import { companyChoices } from '../company-choices.ts'
import { type DashboardDeps, type PageContext, statusOf } from '../page-routes.ts'
import { texts } from './texts.ts'

export type UserPageDeps = Pick<DashboardDeps, 'admin' | 'office' | 'v1' | 'now'>
export const ADMIN = { role: 'admin', allCompanies: true } as const

type Texts = Record<string, string>

/** The user of the address. @throws FiskError 404 */
export async function findUser({ admin }: Pick<UserPageDeps, 'admin'>, context: PageContext): Promise<User> {
  const user = (await admin.listUsers(context.principal)).find(({ id }) => id === context.params.id)
  if (!user) throw notFound('user', 'there is no such user')
  return user
}

/** The page of a user, with what was wrong about what was sent. */
export async function showUser(
  deps: UserPageDeps,
  context: PageContext,
  user: User,
  sent?: Texts,
  errors: Texts = {},
): Promise<unknown> {
  const t = texts[context.language]
  const { email, language, wantsMail, role, companyIds } = user
  const limit: Texts = companyIds ? { reach: 'some', companies: companyIds.join() } : { reach: 'all' }
  const stored: Texts = { role, language, email: email ?? '', ...limit, ...(wantsMail && { wantsMail: 'yes' }) }
  const values = sent ?? stored
  const { passwordLinks } = deps.office
  const link = await passwordLinks.sent(context.principal, user)
  const isExpired = link.expiresAt !== null && link.expiresAt <= deps.now()
  const shown = { user: viewOf(user), values, errors, isSelf: user.id === context.user.id }
  const offered = await choices(deps, context, values)
  const links = { link: { ...link, isExpired }, mails: link.mails, isMailed: passwordLinks.canMail && email !== null }
  return context.show('users/detail', { title: user.name, t, ...shown, ...links, ...offered }, statusOf(errors))
}

/** A form for a user who does not exist yet. */
export async function showForm(
  deps: UserPageDeps,
  context: PageContext,
  form: 'new' | 'invite',
  values: Texts = { language: context.language, wantsMail: 'yes' },
  errors: Texts = {},
): Promise<unknown> {
  const t = texts[context.language]
  const title = form === 'new' ? t.newTitle : t.inviteTitle
  const { canMail } = deps.office.passwordLinks
  const offered = await choices(deps, context, values)
  return context.show(`users/${form}`, { title, t, values, errors, canMail, ...offered }, statusOf(errors))
}

async function choices({ v1 }: UserPageDeps, { principal, language }: PageContext, values: Texts) {
  const t = texts[language]
  return {
    roles: ROLES.map((role) => ({ value: role, text: `${t.roles[role]}: ${t.roleHints[role]}` })),
    languages: LANGUAGES.map((one) => ({ value: one, text: t.languages[one] })),
    companies: await companyChoices(v1, principal, (values.companies ?? '').split(',')),
  }
}

/** A user without the secrets. */
export function viewOf({ passwordHash, sealedTotp, totpStep, ...user }: User) {
  return { ...user, hasSecondFactor: sealedTotp !== null, isInvited: isInvited({ passwordHash }) }
}
