import type { FastifyInstance, FastifyReply } from 'fastify'
import { attempt } from '../../domain/attempt.ts'
import { FiskError } from '../../domain/errors.ts'
import type { PasswordLinkUseCases } from '../../fiscal/access/password-links.ts'
import { csrfTokenOf, requireCsrfToken, type SignedIn } from '../../fiscal/access/sessions.ts'
import { type Caller, whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { ownPath } from '../addresses.ts'
import { keepLanguage } from '../appearance-routes.ts'
import { clearSessionCookie, sessionTokenOf, setSessionCookie } from '../authenticate.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { textOfError } from '../error-texts.ts'
import { newFormId, requireOwnOrigin } from '../forms.ts'
import { languageOf } from '../language.ts'
import type { DashboardDeps } from '../page-routes.ts'
import { linkLetter } from '../users/letter.ts'
import type { Views } from '../views.ts'
import { texts } from './texts.ts'

/** A user without a phone sees how many codes are left. */
const RECOVERED = '/dashboard/account?notice=recovery_code_used'

type Fields = Record<string, string | undefined>

const OPEN = { bodyLimit: DASHBOARD_BOUNDS.signInForm.most }

const callerOf = ({ request, raw }: FastifyReply): Caller => ({ address: request.ip, signal: whileCallerWaits(raw) })

function strangerPages(views: Views, { office }: DashboardDeps) {
  return async (
    reply: FastifyReply,
    view: string,
    it: Record<string, unknown>,
    { status = 200, csrfToken = '' } = {},
  ): Promise<FastifyReply> => {
    const { request } = reply
    const t = texts[languageOf(request)]
    const brand = office.branding.find
    const viewer = { request, user: null, csrfToken, formId: newFormId(), may: () => false, brand }
    const page = await views.page(view, { t, error: null, typed: null, ...it }, viewer)
    return reply.status(status).type('text/html; charset=utf-8').send(page)
  }
}

type ShowStranger = ReturnType<typeof strangerPages>

export function signInRoutes(app: FastifyInstance, deps: DashboardDeps, views: Views): void {
  const { sessions, office } = deps
  const show = strangerPages(views, deps)
  const { canMail } = office.passwordLinks

  app.get('/dashboard/sign-in', async (request, reply) => {
    const { next, wrong } = request.query as Fields
    const error = wrong === 'code' ? texts[languageOf(request)].codeTooLate : null
    return show(reply, 'sign-in/sign-in', { next: ownPath(next), name: '', error, canMail })
  })

  app.post('/dashboard/sign-in', OPEN, async (request, reply) => {
    requireOwnOrigin(request)
    const { name = '', password = '', next, typed } = (request.body ?? {}) as Fields
    try {
      const signedIn = await sessions.signIn(
        name.slice(0, DASHBOARD_BOUNDS.signInName.most),
        password.slice(0, DASHBOARD_BOUNDS.signInPassword.most),
        callerOf(reply),
      )
      setSessionCookie(reply, signedIn.token, signedIn.expiresAt)
      if (signedIn.complete) return await welcome(reply, signedIn, { next, typed })
      return await askCode(reply, signedIn.token, { next, typed })
    } catch (error) {
      const again = (text: string, status: number) => {
        const it = { next: ownPath(next), typed: typed ?? null, name, canMail, error: text }
        return show(reply, 'sign-in/sign-in', it, { status })
      }
      if (isWrong(error)) return again(texts[languageOf(request)].wrong, 401)
      if (!(error instanceof FiskError) || error.reason !== 'sign_ins_busy') throw error
      reply.header('Retry-After', error.retryAfterS ?? 0)
      return again(textOfError(error, languageOf(request)), error.status)
    }
  })

  app.post('/dashboard/sign-in/code', OPEN, async (request, reply) => {
    requireOwnOrigin(request)
    const { code = '', next, typed, _csrf } = (request.body ?? {}) as Fields
    const token = sessionTokenOf(request) ?? ''
    try {
      requireCsrfToken(token, _csrf)
      const signedIn = await sessions.showCode(token, code.slice(0, DASHBOARD_BOUNDS.code.most), callerOf(reply))
      setSessionCookie(reply, signedIn.token, signedIn.expiresAt)
      return await welcome(reply, signedIn, { next, typed })
    } catch (error) {
      if (isWrong(error)) return askCode(reply, token, { next, typed }, texts[languageOf(request)].wrongCode)
      if (error instanceof FiskError && error.status < 500) return reply.redirect('/dashboard/sign-in?wrong=code', 303)
      throw error
    }
  })

  app.post('/dashboard/sign-out', { bodyLimit: DASHBOARD_BOUNDS.smallForm.most }, async (request, reply) => {
    requireOwnOrigin(request)
    const token = sessionTokenOf(request)
    if (token !== undefined) await sessions.signOut(token)
    clearSessionCookie(reply)
    return reply.redirect('/dashboard/sign-in?notice=signed_out', 303)
  })

  passwordRoutes(app, office.passwordLinks, show)

  function askCode(reply: FastifyReply, token: string, { next, typed }: Fields, error: string | null = null) {
    const title = texts[languageOf(reply.request)].codeTitle
    const it = { title, next: ownPath(next), typed: typed ?? null, error }
    return show(reply, 'sign-in/code', it, { status: error ? 401 : 200, csrfToken: csrfTokenOf(token) })
  }

  /** After a sign-in a form that was sent after the end of a session is offered again, and sent only on request. */
  async function welcome(reply: FastifyReply, { user, token, codesLeft }: SignedIn, { next, typed }: Fields) {
    const { request } = reply
    const to = ownPath(next)
    keepLanguage(reply, user.language)
    const fields = typed === undefined ? null : fieldsOf(typed)
    if (fields === null) return reply.redirect(codesLeft === null ? to : RECOVERED, 303)
    const t = texts[user.language]
    const viewer = { request, user, csrfToken: csrfTokenOf(token), formId: newFormId(), may: () => false }
    const page = await views.page('sign-in/resend', { title: t.resendTitle, t, fields, to }, viewer)
    return reply.type('text/html; charset=utf-8').send(page)
  }
}

const isWrong = (error: unknown) => error instanceof FiskError && error.code === 'invalid_credentials'

function fieldsOf(typed: string): [string, string][] | null {
  const value: unknown = attempt(() => JSON.parse(typed), null)
  if (typeof value !== 'object' || value === null) return null
  return Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
}

type Link = { Params: { token: string } }

function passwordRoutes(app: FastifyInstance, links: PasswordLinkUseCases, show: ShowStranger): void {
  const { canMail } = links
  const forgotten = (reply: FastifyReply, isAsked: boolean) =>
    show(reply, 'sign-in/forgotten', { title: texts[languageOf(reply.request)].forgotten, canMail, isAsked })

  app.get('/dashboard/forgotten', (_request, reply) => forgotten(reply, false))

  app.post('/dashboard/forgotten', OPEN, (request, reply) => {
    requireOwnOrigin(request)
    const { name = '' } = (request.body ?? {}) as Fields
    const { ip } = request
    // Afterwards: how long the answer takes is not to depend on whether there is such a user.
    reply.raw.once('close', () =>
      links.forgotten(name.trim().slice(0, DASHBOARD_BOUNDS.signInName.most), ip, linkLetter()),
    )
    return forgotten(reply, true)
  })

  // Programs that look through mails follow links: a GET does not use one up.
  app.get<Link>('/dashboard/password/:token', { exposeHeadRoute: false }, async (request, reply) => {
    const user = await links.open(request.params.token).catch(goneOnly)
    return user ? form(reply, user.name) : gone(reply)
  })

  app.post<Link>('/dashboard/password/:token', OPEN, async (request, reply) => {
    requireOwnOrigin(request)
    const { token } = request.params
    const { password = '' } = (request.body ?? {}) as Fields
    const user = await links.open(token).catch(goneOnly)
    if (!user) return gone(reply)
    const { wrongPassword } = texts[languageOf(request)]
    if (password.length > DASHBOARD_BOUNDS.password.most) return form(reply, user.name, wrongPassword)
    try {
      await links.setPassword(token, password, callerOf(reply))
      return reply.redirect('/dashboard/sign-in?notice=password_set', 303)
    } catch (error) {
      if (!(error instanceof FiskError)) throw error
      if (error.status === 404) return gone(reply)
      if (error.param === 'password') return form(reply, user.name, wrongPassword)
      if (error.reason !== 'sign_ins_busy') throw error
      reply.header('Retry-After', error.retryAfterS ?? 0)
      return form(reply, user.name, textOfError(error, languageOf(request)), error.status)
    }
  })

  function form(reply: FastifyReply, name: string, error: string | null = null, status = 422) {
    const title = texts[languageOf(reply.request)].setTitle
    return show(reply, 'sign-in/password', { title, name, error }, { status: error === null ? 200 : status })
  }

  function gone(reply: FastifyReply) {
    const title = texts[languageOf(reply.request)].goneTitle
    return show(reply, 'sign-in/link-gone', { title, canMail }, { status: 404 })
  }
}

function goneOnly(error: unknown): undefined {
  if (!(error instanceof FiskError) || error.status !== 404) throw error
}
