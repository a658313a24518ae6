import type { FastifyInstance, FastifyReply } from 'fastify'
import { LANGUAGES, type Language } from '../fiscal/ports/model.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { requireOwnOrigin } from './forms.ts'
import { LANGUAGE_COOKIE } from './language.ts'
import { ownPath } from './own-path.ts'
import type { DashboardDeps } from './page-routes.ts'
import { sessionTokenOf } from './session-cookie.ts'
import { THEME_COOKIE } from './views.ts'

const COOKIE = { path: '/dashboard', secure: true, httpOnly: true, sameSite: 'strict', maxAge: 365 * 86_400 } as const

/** For pages that are shown to nobody yet. */
export function keepLanguage(reply: FastifyReply, language: Language): void {
  reply.setCookie(LANGUAGE_COOKIE, language, COOKIE)
}

/** Language, and light or dark: for whoever is signed in or not. */
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
