import { FiskError } from '../../domain/errors.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { refusalOf, showAccount } from './page.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/account'

/** Setting the second step of signing in up, and switching it off. */
export function secondFactorPages(pages: Pages, { office: { accounts } }: Pick<DashboardDeps, 'office'>): void {
  pages.get('/account/second-factor', (context) => setUp(context))

  pages.post('/account/second-factor', async (context) => {
    const { secret = '', code = '' } = context.form
    const { user, token } = context
    try {
      return await context.once<void>(
        (keep) => accounts.enableSecondFactor(user, token, secret, code.slice(0, 20), keep),
        HERE,
        'factor_on',
      )
    } catch (error) {
      return setUp(context, refusalOf(error, context), 422)
    }
  })

  pages.post('/account/second-factor/remove', async (context) => {
    const password = (context.form.factor_password ?? '').slice(0, 1000)
    try {
      return await context.once<void>(
        (keep) => accounts.disableSecondFactor(context.user, password, keep),
        HERE,
        'factor_off',
      )
    } catch (error) {
      return showAccount(context, refusalOf(error, context), 422)
    }
  })

  /** What was shown before is shown again: the app knows it already. */
  async function setUp(context: PageContext, errors: Record<string, string> = {}, status = 200) {
    const t = texts[context.language]
    if (context.user.sealedTotp)
      throw new FiskError('invalid_request', 'there is a second factor already', { status: 409 })
    const { secret, uri } = await accounts.newSecret(context.user, context.form.secret)
    const { toString: drawn } = await import('qrcode')
    const qr = await drawn(uri, { type: 'svg', width: 220, margin: 4 })
    return context.show('account/second-factor', { title: t.setUpTitle, t, secret, qr, errors }, status)
  }
}
