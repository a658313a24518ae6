import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FiskError } from '../../domain/errors.ts'
import type { PasswordLinkUseCases } from '../../fiscal/access/password-links.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { requireOwnOrigin } from '../forms.ts'
import { languageOf } from '../language.ts'
import { linkLetter } from '../users/letter.ts'
import { callerOf, OPEN } from './open.ts'
import type { ShowStranger } from './stranger-page.ts'
import { texts } from './texts.ts'

type Fields = Record<string, string | undefined>
type Link = { Params: { token: string } }

/** Asking for a link after a password was forgotten, and setting one with a link. */
export function passwordRoutes(app: FastifyInstance, links: PasswordLinkUseCases, show: ShowStranger): void {
  const { canMail } = links
  const forgotten = (request: FastifyRequest, reply: FastifyReply, isAsked: boolean) =>
    show(request, reply, 'sign-in/forgotten', { title: texts[languageOf(request)].forgotten, canMail, isAsked })

  app.get('/dashboard/forgotten', (request, reply) => forgotten(request, reply, false))

  app.post('/dashboard/forgotten', OPEN, (request, reply) => {
    requireOwnOrigin(request)
    const { name = '' } = (request.body ?? {}) as Fields
    const { ip } = request
    // Afterwards: how long the answer takes is not to depend on whether there is such a user.
    reply.raw.once('close', () =>
      links.forgotten(name.trim().slice(0, DASHBOARD_BOUNDS.signInName.most), ip, linkLetter),
    )
    return forgotten(request, reply, true)
  })

  // Programs that look through mails follow links: a GET does not use one up.
  app.get<Link>('/dashboard/password/:token', { exposeHeadRoute: false }, async (request, reply) => {
    const user = await links.open(request.params.token).catch(goneOnly)
    return user ? form(request, reply, user.name) : gone(request, reply)
  })

  app.post<Link>('/dashboard/password/:token', OPEN, async (request, reply) => {
    requireOwnOrigin(request)
    const { token } = request.params
    const { password = '' } = (request.body ?? {}) as Fields
    const user = await links.open(token).catch(goneOnly)
    if (!user) return gone(request, reply)
    const { wrongPassword, busy } = texts[languageOf(request)]
    if (password.length > DASHBOARD_BOUNDS.password.most) return form(request, reply, user.name, wrongPassword)
    try {
      await links.setPassword(token, password, callerOf(request, reply))
      return reply.redirect('/dashboard/sign-in?notice=password_set', 303)
    } catch (error) {
      if (!(error instanceof FiskError)) throw error
      if (error.status === 404) return gone(request, reply)
      if (error.param === 'password') return form(request, reply, user.name, wrongPassword)
      if (error.reason !== 'sign_ins_busy') throw error
      reply.header('Retry-After', error.retryAfterS ?? 0)
      return form(request, reply, user.name, busy, error.status)
    }
  })

  function form(request: FastifyRequest, reply: FastifyReply, name: string, error: string | null = null, status = 422) {
    const title = texts[languageOf(request)].setTitle
    return show(request, reply, 'sign-in/password', { title, name, error }, { status: error === null ? 200 : status })
  }

  function gone(request: FastifyRequest, reply: FastifyReply) {
    const title = texts[languageOf(request)].goneTitle
    return show(request, reply, 'sign-in/link-gone', { title, canMail }, { status: 404 })
  }
}

function goneOnly(error: unknown): undefined {
  if (!(error instanceof FiskError) || error.status !== 404) throw error
}
