import type { FastifyInstance } from 'fastify'
import { notFound } from '../../domain/errors.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { faultOfLogo } from './logo-file.ts'
import { texts } from './texts.ts'

const PATH = '/dashboard/settings'
const ADMIN = { role: 'admin', allCompanies: true } as const

/** Name and logo of the operator, and the form in which an administrator sets them. */
export function brandingPages(pages: Pages, { office }: Pick<DashboardDeps, 'office'>): void {
  const { branding } = office

  async function show(context: PageContext, typed?: string, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    const { name, logoHash } = await branding.find(context.user.tenantId)
    const it = { title: t.title, t, errors, name: typed ?? name ?? '', hasLogo: logoHash !== null }
    return context.show('branding/page', it, statusOf(errors))
  }

  pages.get('/settings', (context) => show(context), ADMIN)

  pages.post(
    '/settings',
    async (context) => {
      const { principal, form, files, language } = context
      const t = texts[language]
      const name = (form.name ?? '').replace(/\s+/g, ' ').trim()
      const file = files.logo?.bytes
      const logo = form.remove === 'yes' ? null : file && file.length > 0 ? file : undefined
      const fault = logo ? faultOfLogo(logo) : null
      const tooLong = [...name].length > DASHBOARD_BOUNDS.brandName.most
      const errors = { ...(tooLong && { name: t.nameLong }), ...(fault && { logo: t.faults[fault] }) }
      if (Object.keys(errors).length > 0) return show(context, name, errors)
      return context.once<void>((keep) => branding.change(principal, { name: name || null, logo }, keep), {
        to: PATH,
        notice: 'saved',
        refused: (errors) => show(context, name, errors),
      })
    },
    { ...ADMIN, fileBytes: DASHBOARD_BOUNDS.logoFileRead.most },
  )
}

/** The logo, which the sign-in shows, too: its address holds its hash, and is never another picture. */
export function logoRoute(app: FastifyInstance, { office }: Pick<DashboardDeps, 'office'>): void {
  app.get<{ Params: { hash: string } }>('/dashboard/logo/:hash', { exposeHeadRoute: false }, async (request, reply) => {
    const { hash } = request.params
    const logo = /^[0-9a-f]{64}$/.test(hash) ? await office.branding.logo(hash) : undefined
    if (!logo) throw notFound('path', 'there is no such logo')
    return reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable').send(logo)
  })
}
