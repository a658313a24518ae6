import { FiskError } from '../../domain/errors.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { refusalOf, showAccount } from './page.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/account'

/** Setting the second step of signing in up, and switching it off. */
export function secondFactorPages(pages: Pages, { office: { accounts } }: Pick<DashboardDeps, 'office'>): void {
  pages.get('/account/second-factor', (visit) => setUp(visit))

  pages.post('/account/second-factor', async (visit) => {
    const { secret = '', code = '' } = visit.form
    const { user, token } = visit
    try {
      return await visit.once<void>(
        (keep) => accounts.enableSecondFactor(user, token, secret, code.slice(0, 20), keep),
        HERE,
        'factor_on',
      )
    } catch (error) {
      return setUp(visit, refusalOf(error, visit), 422)
    }
  })

  pages.post('/account/second-factor/remove', async (visit) => {
    const password = (visit.form.factor_password ?? '').slice(0, 1000)
    try {
      return await visit.once<void>(
        (keep) => accounts.disableSecondFactor(visit.user, password, keep),
        HERE,
        'factor_off',
      )
    } catch (error) {
      return showAccount(visit, refusalOf(error, visit), 422)
    }
  })

  /** What was shown before is shown again: the app knows it already. */
  async function setUp(visit: Visit, errors: Record<string, string> = {}, status = 200) {
    const t = texts[visit.language]
    if (visit.user.sealedTotp)
      throw new FiskError('invalid_request', 'there is a second factor already', { status: 409 })
    const { secret, uri } = await accounts.newSecret(visit.user, visit.form.secret)
    const { toString: drawn } = await import('qrcode')
    const qr = await drawn(uri, { type: 'svg', width: 220, margin: 4 })
    return visit.show('account/second-factor', { title: t.setUpTitle, t, secret, qr, errors }, status)
  }
}
