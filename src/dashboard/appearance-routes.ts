import type { FastifyInstance, FastifyReply } from 'fastify'
import { LANGUAGES, type Language } from '../fiscal/ports/model.ts'
import { ownPath } from './addresses.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { requireOwnOrigin } from './forms.ts'
import { LANGUAGE_COOKIE } from './language.ts'
import type { DashboardDeps } from './page-routes.ts'
import { sessionTokenOf } from './session-cookie.ts'
import { THEME_COOKIE } from './views.ts'

const COOKIE = { path: '/dashboard', secure: true, httpOnly: true, sameSite: 'strict', maxAge: 365 * 86_400 } as const

/** Keeps the language for pages that are shown before a sign-in. */
export function keepLanguage(reply: FastifyReply, language: Language): void {
  reply.setCookie(LANGUAGE_COOKIE, language, COOKIE)
}

/** Sets the language, and light or dark, with or without a sign-in. */
export function appearanceRoutes(app: FastifyInstance, { sessions, office }: DashboardDeps): void {
  app.post('/dashboard/look', { bodyLimit: DASHBOARD_BOUNDS.smallForm.most }, async (request, reply) => {
    requireOwnOrigin(request)
    const { language, theme, back } = (request.body ?? {}) as Record<string, string | undefined>
    const chosen = LANGUAGES.find((one) => one === language)
    if (chosen) {
      keepLanguage(reply, chosen)
      const token = sessionTokenOf(request)
      const session = token === undefined ? undefined : await sessions.findSession(token).catch(() => undefined)
      if (session) await office.accounts.change(session.user, { language: chosen })
    }
    if (theme === 'light' || theme === 'dark') reply.setCookie(THEME_COOKIE, theme, COOKIE)
    if (theme === 'auto') reply.clearCookie(THEME_COOKIE, COOKIE)
    return reply.redirect(ownPath(back), 303)
  })
}
