import type { FiskError } from '../../domain/errors.ts'
import { LANGUAGES } from '../../fiscal/ports/model.ts'
import { companyChoices } from '../company-choices.ts'
import { type DashboardDeps, type PageContext, statusOf } from '../page-routes.ts'
import { texts } from './texts.ts'

/** The page of the own sign-in, with what was wrong about what was sent. */
export async function showAccount(
  { v1, office }: Pick<DashboardDeps, 'v1' | 'office'>,
  context: PageContext,
  errors: Record<string, string> = {},
): Promise<unknown> {
  const t = texts[context.language]
  const { name, role, email, language, wantsMail, mailCompanyIds, sealedTotp } = context.user
  const mails = mailCompanyIds ? { reach: 'some', companies: mailCompanyIds.join() } : { reach: 'all' }
  const stored = { email: email ?? '', language, ...mails, ...(wantsMail && { wantsMail: 'yes' }) }
  const values: Record<string, string> = 'email' in context.form ? context.form : stored
  const companies = await companyChoices(v1, context.principal, (values.companies ?? '').split(','))
  const languages = LANGUAGES.map((one) => ({ value: one, text: t.languages[one] }))
  const hasSecondFactor = sealedTotp !== null
  const codesLeft = hasSecondFactor ? await office.secondFactor.codesLeft(context.user) : 0
  const account = { name, role, hasSecondFactor, codesLeft }
  return context.show(
    'account/account',
    { title: t.title, t, account, values, errors, languages, companies },
    statusOf(errors),
  )
}

/** A refusal in the words of these forms, by field. */
export function inWords(
  errors: Record<string, string>,
  { param }: FiskError,
  { language }: PageContext,
): Record<string, string> {
  const { wrong } = texts[language]
  const known: Record<string, Record<string, string>> = {
    email: { email: wrong.email },
    companies: { companies: wrong.companies },
    email_password: { email_password: wrong.oldPassword },
    old_password: { old_password: wrong.oldPassword },
    password: { password: wrong.password },
    factor_password: { factor_password: wrong.oldPassword },
    codes_password: { codes_password: wrong.oldPassword },
    code: { code: wrong.code },
  }
  return known[param ?? ''] ?? errors
}
