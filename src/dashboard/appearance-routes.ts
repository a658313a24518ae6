import type { FastifyInstance, FastifyReply } from 'fastify'
import { LANGUAGES, type Language } from '../fiscal/ports/model.ts'
import { addressOf, ownPath } from './addresses.ts'
import { sessionTokenOf } from './authenticate.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { COMPANY_COOKIE } from './company-switch.ts'
import { requireOwnOrigin } from './forms.ts'
import { UUID } from './ids.ts'
import { LANGUAGE_COOKIE } from './language.ts'
import type { DashboardDeps } from './page-routes.ts'
import { THEME_COOKIE } from './views.ts'

const COOKIE = { path: '/dashboard', secure: true, httpOnly: true, sameSite: 'strict', maxAge: 365 * 86_400 } as const

/** Keeps the language for pages that are shown before a sign-in. */
export function keepLanguage(reply: FastifyReply, language: Language): void {
  reply.setCookie(LANGUAGE_COOKIE, language, COOKIE)
}

/** Sets the language, light or dark, with or without a sign-in, and the company that pages are narrowed to. */
export function appearanceRoutes(app: FastifyInstance, { sessions, office }: DashboardDeps): void {
  app.post('/dashboard/look', { bodyLimit: DASHBOARD_BOUNDS.smallForm.most }, async (request, reply) => {
    requireOwnOrigin(request)
    const { language, theme, company, back } = (request.body ?? {}) as Record<string, string | undefined>
    const chosen = LANGUAGES.find((one) => one === language)
    if (chosen) {
      keepLanguage(reply, chosen)
      const token = sessionTokenOf(request)
      const session = token === undefined ? undefined : await sessions.findSession(token).catch(() => undefined)
      if (session) await office.accounts.change(session.user, { language: chosen })
    }
    if (theme === 'light' || theme === 'dark') reply.setCookie(THEME_COOKIE, theme, COOKIE)
    if (theme === 'auto') reply.clearCookie(THEME_COOKIE, COOKIE)
    if (company === undefined) return reply.redirect(ownPath(back), 303)
    if (UUID.test(company)) reply.setCookie(COMPANY_COOKIE, company, COOKIE)
    else reply.clearCookie(COMPANY_COOKIE, COOKIE)
    return reply.redirect(withoutChoices(ownPath(back)), 303)
  })
}

/** What an address names of one company, and a place in its list, finds nothing of another. */
const OF_COMPANY = ['_company', 'company', 'device', 'premises', 'gateway', 'after', 'before', 'page', 'notice']

function withoutChoices(address: string): string {
  const [path = '', query] = address.split('?')
  const kept = [...new URLSearchParams(query)].filter(([name]) => !OF_COMPANY.includes(name))
  return addressOf(path, Object.fromEntries(kept))
}
