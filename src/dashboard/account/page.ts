import type { FiskError } from '../../domain/errors.ts'
import { LANGUAGES } from '../../fiscal/ports/model.ts'
import type { PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

/** The page of the own sign-in, with what was wrong about what was sent. */
export function showAccount(context: PageContext, errors: Record<string, string> = {}, status = 200): Promise<unknown> {
  const t = texts[context.language]
  const { name, role, email, language, wantsMail, sealedTotp } = context.user
  const stored = { email: email ?? '', language, ...(wantsMail && { wantsMail: 'yes' }) }
  const values = 'email' in context.form ? context.form : stored
  const languages = LANGUAGES.map((one) => ({ value: one, text: t.languages[one] }))
  const account = { name, role, hasSecondFactor: sealedTotp !== null }
  return context.show('account/account', { title: t.title, t, account, values, errors, languages }, status)
}

/** In the words of these forms; whatever else went wrong is thrown on. */
export function refusalOf(error: unknown, context: PageContext): Record<string, string> {
  const t = texts[context.language]
  const errors = context.errorsOf(error)
  const { code, param } = error as FiskError
  if (param === 'email') return { email: t.wrong.email }
  if (param === 'old_password') return { old_password: t.wrong.oldPassword }
  if (param === 'password' && code === 'invalid_request') return { password: t.wrong.password }
  if (param === 'password') return { factor_password: t.wrong.oldPassword }
  if (param === 'code') return { code: t.wrong.code }
  return errors
}
