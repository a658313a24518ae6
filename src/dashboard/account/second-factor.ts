import { FiskError } from '../../domain/errors.ts'
import { sessionHash } from '../../fiscal/access/sessions.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { type DashboardDeps, type Notice, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { createRecentSecrets } from '../recent-secrets.ts'
import { inWords, showAccount } from './page.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/account'
const CODES = `${HERE}/recovery-codes`

/** Setting the second step of signing in up, switching it off, and the codes for a lost phone. */
export function secondFactorPages(pages: Pages, deps: Pick<DashboardDeps, 'office' | 'v1' | 'now'>): void {
  const { secondFactor } = deps.office
  const recentCodes = createRecentSecrets(deps.now)
  const refusedOnAccount = (context: PageContext) => (errors: Record<string, string>, error: FiskError) =>
    showAccount(deps, context, inWords(errors, error, context))

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
      refused: refusedOnAccount(context),
    })
  })

  pages.post('/account/recovery-codes', (context) => {
    const proof = { password: passwordIn(context, 'codes_password'), code: codeIn(context) }
    return makeCodes(context, (keep) => secondFactor.renewCodes(context.user, proof, keep), refusedOnAccount(context))
  })

  pages.get('/account/recovery-codes', async (context) => {
    const t = texts[context.language]
    const codes = recentCodes.find(sessionHash(context.token), context.user.id)?.split('\n')
    return context.show('account/recovery-codes', { title: t.codesTitle, t, codes })
  })

  function makeCodes(
    context: PageContext,
    work: (keep: Keep<string[]>) => Promise<string[]>,
    refused: ReturnType<typeof refusedOnAccount>,
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
  async function setUp(context: PageContext, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    if (context.user.sealedTotp)
      throw new FiskError('invalid_request', 'there is a second factor already', { status: 409 })
    const { secret, uri } = await secondFactor.newSecret(context.user, context.form.secret)
    const { toString: drawn } = await import('qrcode')
    const qr = await drawn(uri, { type: 'svg', width: 220, margin: 4 })
    return context.show('account/second-factor', { title: t.setUpTitle, t, secret, qr, errors }, statusOf(errors))
  }
}

const codeIn = ({ form }: PageContext) => (form.code ?? '').slice(0, DASHBOARD_BOUNDS.code.most)
const passwordIn = ({ form }: PageContext, name: string) => (form[name] ?? '').slice(0, DASHBOARD_BOUNDS.password.most)
