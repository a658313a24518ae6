import { LANGUAGES } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { readCompanies } from '../company-choices.ts'
import type { DashboardDeps, Notice, PageContext, Pages, ShowAgain } from '../page-routes.ts'
import { inWords, showAccount } from './page.ts'
import { secondFactorPages } from './second-factor.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/account'

/** The settings of one's own sign-in. */
export function accountPages(pages: Pages, deps: Pick<DashboardDeps, 'office' | 'v1' | 'now'>): void {
  const { accounts } = deps.office

  pages.get('/account', (context) => showAccount(deps, context))

  pages.post('/account', async (context) => {
    const { form, user } = context
    const language = LANGUAGES.find((one) => one === form.language)
    if (!language) return showAccount(deps, context, { language: texts[context.language].wrong.language })
    const changes = {
      language,
      email: (form.email ?? '').trim().toLowerCase() || null,
      wantsMail: form.wantsMail === 'yes',
      mailCompanyIds: readCompanies(form),
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
    const refused: ShowAgain = (errors, error) => showAccount(deps, context, inWords(errors, error, context))
    return context.once<void>(work, { to: HERE, notice, refused })
  }
}
