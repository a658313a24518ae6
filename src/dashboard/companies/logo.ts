import { RECEIPT_LOGO_BYTES, RECEIPT_LOGO_WIDTH_MM } from '../../domain/upload.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { companyOf } from './change.ts'
import type { ShowCompany } from './detail.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const

/** The logo on the receipts of a company: shown as it is printed, uploaded and removed. */
export function logoPages(pages: Pages, deps: Pick<DashboardDeps, 'v1' | 'office' | 'role'>, show: ShowCompany): void {
  const { v1 } = deps
  const fileOf = (context: PageContext) => companyOf(deps, context)

  pages.get('/companies/:id/logo.png', async ({ principal, params, reply }) =>
    reply.type('image/png').send(await v1.logoOf(principal, params.id ?? '')),
  )

  pages.post(
    '/companies/:id/logo',
    async (context) => {
      const company = await fileOf(context)
      const t = texts[context.language]
      const file = context.files.logo?.bytes
      const width = (context.form.width ?? '').trim()
      const { least, most } = RECEIPT_LOGO_WIDTH_MM
      const isWidth = width === '' || (/^[0-9]{1,2}$/.test(width) && Number(width) >= least && Number(width) <= most)
      const errors = {
        ...((!file || file.length === 0) && { logo: t.logoMissing }),
        ...(file && file.length > RECEIPT_LOGO_BYTES && { logo: t.logoLarge }),
        ...(!isWidth && { width: t.logoWidthWrong }),
      }
      if (!file || Object.keys(errors).length > 0) return show(context, company, errors)
      const logo = { file, widthMm: width === '' ? undefined : Number(width) }
      const { id } = company.company
      return context.once<Company>((keep) => v1.setLogo(context.principal, id, logo, keep), {
        to: `/dashboard/companies/${id}`,
        notice: 'saved',
        refused: async ({ file: wrong, width_mm: wide, ...others }) =>
          show(context, await fileOf(context), {
            ...(wrong && { logo: wrong }),
            ...(wide && { width: t.logoWidthWrong }),
            ...(Object.values(others)[0] && { form: Object.values(others)[0] ?? '' }),
          }),
      })
    },
    { ...ADMIN, fileBytes: DASHBOARD_BOUNDS.logoFileRead.most },
  )

  pages.post(
    '/companies/:id/logo/remove',
    async (context) => {
      const { company } = await fileOf(context)
      return context.once<Company>((keep) => v1.setLogo(context.principal, company.id, null, keep), {
        to: `/dashboard/companies/${company.id}`,
        notice: 'saved',
      })
    },
    ADMIN,
  )
}
