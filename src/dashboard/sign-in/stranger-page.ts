import type { FastifyReply, FastifyRequest } from 'fastify'
import { newFormId } from '../forms.ts'
import { languageOf } from '../language.ts'
import type { DashboardDeps } from '../page-routes.ts'
import type { Views } from '../views.ts'
import { texts } from './texts.ts'

/** Shows a page to a reader who is not signed in. */
export type ShowStranger = (
  request: FastifyRequest,
  reply: FastifyReply,
  view: string,
  it: Record<string, unknown>,
  how?: { status?: number; csrfToken?: string },
) => Promise<FastifyReply>

export function strangerPages(views: Views, { office }: Pick<DashboardDeps, 'office'>): ShowStranger {
  return async (request, reply, view, it, { status = 200, csrfToken = '' } = {}) => {
    const t = texts[languageOf(request)]
    const viewer = {
      ...{ request, user: null, csrfToken, formId: newFormId(), may: () => false },
      brand: office.branding.find,
    }
    const page = await views.page(view, { title: t.title, t, error: null, typed: null, ...it }, viewer)
    return reply.status(status).type('text/html; charset=utf-8').send(page)
  }
}
