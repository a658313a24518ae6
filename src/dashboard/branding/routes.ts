import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { ADMIN_OF_ALL, type DashboardDeps, type PageContext, type Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

const PATH = '/dashboard/settings'

export function brandingPages(pages: Pages, { office }: DashboardDeps): void {
  const { branding } = office

  async function show(context: PageContext, typed?: string, errors: Record<string, string> = {}) {
    const name = typed ?? (await branding.find(context.user.tenantId)) ?? ''
    return context.show('branding/page', { t: texts[context.language], errors, name })
  }

  pages.get('/settings', ADMIN_OF_ALL, (context) => show(context))

  pages.post('/settings', ADMIN_OF_ALL, async (context) => {
    const name = (context.form.name ?? '').replace(/\s+/g, ' ').trim()
    if ([...name].length > DASHBOARD_BOUNDS.brandName.most) {
      return show(context, name, { name: texts[context.language].nameLong })
    }
    return context.once<void>((keep) => branding.change(context.principal, name || null, keep), {
      to: PATH,
      notice: 'saved',
      refused: (errors) => show(context, name, errors),
    })
  })
}
