import type { FiskError } from '../../domain/errors.ts'
import type { UserChanges } from '../../fiscal/access/accounts.ts'
import type { Invitation } from '../../fiscal/access/password-links.ts'
import type { NewUser } from '../../fiscal/access/users.ts'
import { LANGUAGES, ROLES } from '../../fiscal/ports/model.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { readCompanies } from '../company-choices.ts'
import type { PageContext } from '../page-routes.ts'
import type { texts } from './texts.ts'

type T = (typeof texts)['hr']
type Wanted = Required<Omit<UserChanges, 'mailCompanyIds'>>
type Read<V> = { wanted: V } | { errors: Record<string, string> }

const NAME = new RegExp(`^[^\\s\\p{C}]{1,${DASHBOARD_BOUNDS.userName.most}}$`, 'u')

export function readNewUser({ form }: PageContext, t: T): Read<NewUser> {
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

export function readInvitation({ form }: PageContext, t: T): Read<Invitation> {
  const read = readUser(form, t)
  if ('wanted' in read && read.wanted.email !== null) return { wanted: { ...read.wanted, email: read.wanted.email } }
  return { errors: { ...('errors' in read && read.errors), ...(!form.email?.trim() && { email: t.wrong.email }) } }
}

export function readUser(form: Record<string, string>, t: T): Read<Wanted> {
  const role = ROLES.find((one) => one === form.role)
  const language = LANGUAGES.find((one) => one === form.language)
  const email = (form.email ?? '').trim().toLowerCase() || null
  const wantsMail = form.wantsMail === 'yes'
  const companyIds = readCompanies(form)
  if (role && language && companyIds?.length !== 0) return { wanted: { role, language, email, wantsMail, companyIds } }
  return {
    errors: {
      ...(!role && { role: t.wrong.role }),
      ...(!language && { language: t.wrong.language }),
      ...(companyIds?.length === 0 && { companies: t.wrong.companies }),
    },
  }
}

/** A refusal in the words of these forms, by field. */
export function inWords(
  errors: Record<string, string>,
  { code, param, status }: FiskError,
  { wrong }: T,
): Record<string, string> {
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
