import type { FastifyInstance } from 'fastify'
import { PASSWORD_LINK_PATH } from '../fiscal/access/password-links.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'

/** Nothing from elsewhere, nothing inline, nothing framed. */
export const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'report-uri': ['/dashboard/csp-report'],
  },
}

/** Anybody may send reports: they are not to fill the log. */
const REPORT_EVERY_MS = 10_000

/** Browsers tell what they have refused: there should be nothing, so whatever there is goes into the log. */
export function takeSecurityReports(app: FastifyInstance): void {
  const types = ['application/csp-report', 'application/reports+json']
  app.addContentTypeParser(
    types,
    { parseAs: 'string', bodyLimit: DASHBOARD_BOUNDS.report.most },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(String(body)))
      } catch {
        done(null, null)
      }
    },
  )
  let toldAt = Number.NEGATIVE_INFINITY
  app.post('/dashboard/csp-report', async (request, reply) => {
    reply.status(204)
    if (performance.now() - toldAt < REPORT_EVERY_MS) return reply.send()
    toldAt = performance.now()
    const report = (request.body as Record<string, unknown> | null)?.['csp-report'] as
      | Record<string, unknown>
      | undefined
    const told = (name: string) => withoutToken(String(report?.[name] ?? '')).slice(0, 200)
    request.log.warn(
      { directive: told('violated-directive'), blocked: told('blocked-uri'), source: told('source-file') },
      'a browser has refused something that a page asked for',
    )
    return reply.send()
  })
}

/** Extensions of browsers have refused scripts on any page: the address of a link to set a password stays out of the log. */
const withoutToken = (address: string) => address.replace(TOKEN, PASSWORD_LINK_PATH)
const TOKEN = new RegExp(`${PASSWORD_LINK_PATH}/[^?#]*`)
