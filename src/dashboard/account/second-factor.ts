import { FiskError } from '../../domain/errors.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { inWords, showAccount } from './page.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/account'

/** Setting the second step of signing in up, and switching it off. */
export function secondFactorPages(pages: Pages, deps: Pick<DashboardDeps, 'office' | 'v1'>): void {
  const { accounts } = deps.office

  pages.get('/account/second-factor', (context) => setUp(context))

  pages.post('/account/second-factor', async (context) => {
    const { secret = '', code = '' } = context.form
    const { user, token } = context
    return context.once<void>((keep) => accounts.enableSecondFactor(user, token, secret, code.slice(0, 20), keep), {
      to: HERE,
      notice: 'factor_on',
      refused: (errors, error) => setUp(context, inWords(errors, error, context)),
    })
  })

  pages.post('/account/second-factor/remove', async (context) => {
    const password = (context.form.factor_password ?? '').slice(0, 1000)
    return context.once<void>((keep) => accounts.disableSecondFactor(context.user, password, keep), {
      to: HERE,
      notice: 'factor_off',
      refused: (errors, error) => showAccount(deps, context, inWords(errors, error, context)),
    })
  })

  /** What was shown before is shown again: the app knows it already. */
  async function setUp(context: PageContext, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    if (context.user.sealedTotp)
      throw new FiskError('invalid_request', 'there is a second factor already', { status: 409 })
    const { secret, uri } = await accounts.newSecret(context.user, context.form.secret)
    const { toString: drawn } = await import('qrcode')
    const qr = await drawn(uri, { type: 'svg', width: 220, margin: 4 })
    return context.show('account/second-factor', { title: t.setUpTitle, t, secret, qr, errors }, statusOf(errors))
  }
}
