import { FiskError } from '../../domain/errors.ts'
import { sessionHash } from '../../fiscal/access/sessions.ts'
import { LANGUAGES } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { companyChoices, reachIn, readCompanies } from '../company-choices.ts'
import type { DashboardDeps, Fields, Notice, PageContext, Pages, ShowAgain } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/account'
const CODES = `${HERE}/recovery-codes`

export function accountPages(pages: Pages, deps: DashboardDeps): void {
  const { accounts } = deps.office

  pages.get('/account', (context) => showAccount(deps, context))

  pages.post('/account', async (context) => {
    const { form, user } = context
    const { wrong } = texts[context.language]
    const language = LANGUAGES.find((one) => one === form.language)
    if (!language) return showAccount(deps, context, { language: wrong.language })
    const mailCompanyIds = readCompanies(form)
    if (mailCompanyIds === undefined) return showAccount(deps, context, { companies: wrong.reach })
    const changes = {
      language,
      email: (form.email ?? '').trim().toLowerCase() || null,
      wantsMail: form.wantsMail === 'yes',
      mailCompanyIds,
    }
    const password = (form.email_password ?? '').slice(0, DASHBOARD_BOUNDS.password.most)
    return change(context, (keep) => accounts.change(user, changes, keep, password), 'saved')
  })

  pages.post('/account/password', async (context) => {
    const { old_password = '', password = '' } = context.form
    if (password.length > DASHBOARD_BOUNDS.password.most || old_password.length > DASHBOARD_BOUNDS.password.most) {
      return showAccount(deps, context, { password: texts[context.language].wrong.password })
    }
    const passwords = { old: old_password, new: password }
    const { user, token } = context
    return change(context, (keep) => accounts.changePassword(user, token, passwords, keep), 'password_changed')
  })

  pages.post('/account/sign-out-elsewhere', ({ user, token, once }) =>
    once<void>((keep) => accounts.signOutElsewhere(user, token, keep), { to: HERE, notice: 'signed_out_elsewhere' }),
  )

  secondFactorPages(pages, deps)

  function change(context: PageContext, work: (keep: Keep<void>) => Promise<void>, notice: Notice) {
    return context.once<void>(work, { to: HERE, notice, refused: refusedOn(deps, context) })
  }
}

async function showAccount({ v1, office }: DashboardDeps, context: PageContext, errors: Fields = {}): Promise<unknown> {
  const t = texts[context.language]
  const { name, role, email, language, wantsMail, mailCompanyIds, sealedTotp } = context.user
  const reach = reachIn(context.query, mailCompanyIds ? 'some' : 'all')
  const limit = { reach, companies: mailCompanyIds?.join() ?? '' }
  const stored = { email: email ?? '', language, ...limit, ...(wantsMail && { wantsMail: 'yes' }) }
  const values: Fields = 'email' in context.form ? context.form : stored
  const companies = await companyChoices(v1, context.principal, (values.companies ?? '').split(','))
  const languages = LANGUAGES.map((one) => ({ value: one, text: t.languages[one] }))
  const hasSecondFactor = sealedTotp !== null
  const codesLeft = hasSecondFactor ? await office.secondFactor.codesLeft(context.user) : 0
  const account = { name, role, hasSecondFactor, codesLeft }
  return context.show('account/account', { t, account, values, errors, languages, companies })
}

const refusedOn =
  (deps: DashboardDeps, context: PageContext): ShowAgain =>
  (errors, error) =>
    showAccount(deps, context, inWords(errors, error, context))

/** A refusal in the words of these forms, by field. */
function inWords(errors: Fields, { param }: FiskError, { language }: PageContext): Fields {
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

function secondFactorPages(pages: Pages, deps: DashboardDeps): void {
  const { secondFactor } = deps.office
  const recentCodes = createRecentSecrets(deps.now)

  pages.get('/account/second-factor', (context) => setUp(context))

  pages.post('/account/second-factor', (context) => {
    const { secret = '' } = context.form
    const { user, token } = context
    return makeCodes(
      context,
      (keep) => secondFactor.enable(user, token, secret, codeIn(context), keep),
      (errors, error) => setUp(context, inWords(errors, error, context)),
      'factor_on',
    )
  })

  pages.post('/account/second-factor/remove', async (context) => {
    const password = passwordIn(context, 'factor_password')
    return context.once<void>((keep) => secondFactor.disable(context.user, password, keep), {
      to: HERE,
      notice: 'factor_off',
      refused: refusedOn(deps, context),
    })
  })

  pages.post('/account/recovery-codes', (context) => {
    const proof = { password: passwordIn(context, 'codes_password'), code: codeIn(context) }
    return makeCodes(context, (keep) => secondFactor.renewCodes(context.user, proof, keep), refusedOn(deps, context))
  })

  pages.get('/account/recovery-codes', async (context) => {
    const t = texts[context.language]
    const codes = recentCodes.find(sessionHash(context.token), context.user.id)?.split('\n')
    return context.show('account/recovery-codes', { title: t.codesTitle, t, codes })
  })

  function makeCodes(
    context: PageContext,
    work: (keep: Keep<string[]>) => Promise<string[]>,
    refused: ShowAgain,
    notice?: Notice,
  ) {
    return context.once<string[]>(
      async (keep) => {
        const codes = await work(keep)
        // Another session of this user is not shown them.
        recentCodes.keep(sessionHash(context.token), context.user.id, codes.join('\n'))
        return codes
      },
      { to: CODES, refused, ...(notice && { notice }) },
    )
  }

  /** What was shown before is shown again: the app knows it already. */
  async function setUp(context: PageContext, errors: Fields = {}) {
    const t = texts[context.language]
    if (context.user.sealedTotp)
      throw new FiskError('invalid_request', 'there is a second factor already', { status: 409 })
    const { secret, uri } = await secondFactor.newSecret(context.user, context.form.secret)
    const { toString: drawn } = await import('qrcode')
    const qr = await drawn(uri, { type: 'svg', width: 220, margin: 4 })
    return context.show('account/second-factor', { title: t.factor, t, secret, qr, errors })
  }
}

const codeIn = ({ form }: PageContext) => (form.code ?? '').slice(0, DASHBOARD_BOUNDS.code.most)
const passwordIn = ({ form }: PageContext, name: string) => (form[name] ?? '').slice(0, DASHBOARD_BOUNDS.password.most)
