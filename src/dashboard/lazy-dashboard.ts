import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { FiskError } from '../domain/errors.ts'
import type { Dashboard } from './dashboard.ts'
import type { DashboardDeps } from './page-routes.ts'

/** The addresses at which a password, a code or a link can be tried. */
const ASKS_FOR_PASSWORDS = [
  '/dashboard/sign-in',
  '/dashboard/sign-in/code',
  '/dashboard/forgotten',
  '/dashboard/password/:token',
  '/dashboard/account',
  '/dashboard/account/password',
  '/dashboard/account/recovery-codes',
  '/dashboard/account/second-factor/remove',
]

/** Loads the dashboard with the first request for a page: a kiosk that nobody looks at pays nothing for it. */
export const lazyDashboard: FastifyPluginAsync<{ deps: DashboardDeps; log: FastifyBaseLogger }> = async (
  app,
  options,
) => {
  let loaded: Promise<Dashboard> | undefined
  const load = () => {
    loaded ??= import('./dashboard.ts')
      .then(({ createDashboard }) => createDashboard(options.deps, options.log))
      .catch((error: unknown) => {
        // A disk that could not be read may be read the next time.
        loaded = undefined
        throw error
      })
    return loaded
  }
  app.addHook('onClose', async () => (await loaded?.catch(() => undefined))?.app.close())

  // The dashboard reads the bodies itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    const { app: dashboard } = await load()
    reply.hijack()
    reply.raw.setHeader('X-Request-Id', request.id)
    dashboard.routing(request.raw, reply.raw)
  }
  app.setErrorHandler(async (error, request, reply) => {
    const { refusal } = await load()
    const known = error instanceof FiskError ? error : new FiskError('internal_error', 'it failed', { cause: error })
    if (known.status >= 500) request.log.error({ err: error }, known.message)
    if (known.retryAfterS !== null) reply.header('Retry-After', known.retryAfterS)
    return reply
      .status(known.status)
      .type('text/html; charset=utf-8')
      .send(await refusal(known, request))
  })
  for (const url of ASKS_FOR_PASSWORDS) {
    app.route({ method: 'POST', url, config: { budget: 'sign-in', form: true }, handler: enter })
  }
  for (const url of ['/dashboard', '/dashboard/*']) {
    app.route({ method: ['GET', 'HEAD', 'POST'], url, config: { form: true }, handler: enter })
  }
}
