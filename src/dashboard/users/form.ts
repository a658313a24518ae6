import type { FiskError } from '../../domain/errors.ts'
import type { UserChanges } from '../../fiscal/access/accounts.ts'
import type { NewUser } from '../../fiscal/access/users.ts'
import { LANGUAGES, ROLES } from '../../fiscal/ports/model.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { PageContext } from '../page-routes.ts'
import type { texts } from './texts.ts'

type T = (typeof texts)['hr']
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

export function readUser(form: Record<string, string>, t: T): Read<Required<UserChanges>> {
  const role = ROLES.find((one) => one === form.role)
  const language = LANGUAGES.find((one) => one === form.language)
  const email = (form.email ?? '').trim().toLowerCase() || null
  const wantsMail = form.wantsMail === 'yes'
  if (role && language) return { wanted: { role, language, email, wantsMail } }
  return { errors: { ...(!role && { role: t.wrong.role }), ...(!language && { language: t.wrong.language }) } }
}

/** A refusal in the words of these forms; whatever else went wrong is thrown on. */
export function refusalOf(error: unknown, context: PageContext, t: T): Record<string, string> {
  const errors = context.errorsOf(error)
  const { code, param } = error as FiskError
  if (param === 'name') return { name: t.wrong.taken }
  if (param === 'email') return { email: t.wrong.email }
  if (param === 'password' && code === 'invalid_request') return { password: t.wrong.password }
  if (param === 'role') return { role: t.wrong.ownRole }
  if (param === 'user' && (error as FiskError).status === 409) return { form: t.wrong.last }
  return errors
}
