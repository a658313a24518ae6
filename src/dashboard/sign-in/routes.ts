import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FiskError } from '../../domain/errors.ts'
import { csrfTokenOf, requireCsrfToken, type SignedIn } from '../../fiscal/access/sessions.ts'
import { ownPath } from '../addresses.ts'
import { keepLanguage } from '../appearance-routes.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { newFormId, requireOwnOrigin } from '../forms.ts'
import { languageOf } from '../language.ts'
import type { DashboardDeps } from '../page-routes.ts'
import { clearSessionCookie, sessionTokenOf, setSessionCookie } from '../session-cookie.ts'
import type { Views } from '../views.ts'
import { callerOf, OPEN } from './open.ts'
import { passwordRoutes } from './passwords.ts'
import { strangerPages } from './stranger-page.ts'
import { texts } from './texts.ts'

/** Whoever has no phone is to see how many codes are left. */
const RECOVERED = '/dashboard/account?notice=recovery_code_used'

type Fields = Record<string, string | undefined>

/** Signing in, with a second step for users with a second factor, and signing out. */
export function signInRoutes(app: FastifyInstance, { sessions, office }: DashboardDeps, views: Views): void {
  const show = strangerPages(views, { office })
  const { canMail } = office.passwordLinks

  app.get('/dashboard/sign-in', async (request, reply) => {
    const { next, wrong } = request.query as Fields
    const error = wrong === 'code' ? texts[languageOf(request)].codeTooLate : null
    return show(request, reply, 'sign-in/sign-in', { next: ownPath(next), name: '', error, canMail })
  })

  app.post('/dashboard/sign-in', OPEN, async (request, reply) => {
    requireOwnOrigin(request)
    const { name = '', password = '', next, typed } = (request.body ?? {}) as Fields
    try {
      const signedIn = await sessions.signIn(
        name.slice(0, DASHBOARD_BOUNDS.signInName.most),
        password.slice(0, DASHBOARD_BOUNDS.signInPassword.most),
        callerOf(request, reply),
      )
      setSessionCookie(reply, signedIn.token, signedIn.expiresAt)
      if (signedIn.complete) return await welcome(request, reply, signedIn, { next, typed })
      return await askCode(request, reply, signedIn.token, { next, typed })
    } catch (error) {
      const { wrong, busy } = texts[languageOf(request)]
      const again = { next: ownPath(next), typed: typed ?? null, name, canMail }
      if (isWrong(error)) return show(request, reply, 'sign-in/sign-in', { ...again, error: wrong }, { status: 401 })
      if (!(error instanceof FiskError) || error.reason !== 'sign_ins_busy') throw error
      reply.header('Retry-After', error.retryAfterS ?? 0)
      return show(request, reply, 'sign-in/sign-in', { ...again, error: busy }, { status: error.status })
    }
  })

  app.post('/dashboard/sign-in/code', OPEN, async (request, reply) => {
    requireOwnOrigin(request)
    const { code = '', next, typed, _csrf } = (request.body ?? {}) as Fields
    const token = sessionTokenOf(request) ?? ''
    try {
      requireCsrfToken(token, _csrf)
      const signedIn = await sessions.showCode(
        token,
        code.slice(0, DASHBOARD_BOUNDS.code.most),
        callerOf(request, reply),
      )
      setSessionCookie(reply, signedIn.token, signedIn.expiresAt)
      return await welcome(request, reply, signedIn, { next, typed })
    } catch (error) {
      if (isWrong(error)) return askCode(request, reply, token, { next, typed }, texts[languageOf(request)].wrongCode)
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

  function askCode(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    { next, typed }: Fields,
    error: string | null = null,
  ) {
    const title = texts[languageOf(request)].codeTitle
    const it = { title, next: ownPath(next), typed: typed ?? null, error }
    return show(request, reply, 'sign-in/code', it, { status: error ? 401 : 200, csrfToken: csrfTokenOf(token) })
  }

  /** After a sign-in a form that was sent after the end of a session is offered again, and sent only on request. */
  async function welcome(
    request: FastifyRequest,
    reply: FastifyReply,
    { user, token, codesLeft }: SignedIn,
    { next, typed }: Fields,
  ) {
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
  try {
    const value: unknown = JSON.parse(typed)
    if (typeof value !== 'object' || value === null) return null
    return Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
  } catch {
    return null
  }
}
