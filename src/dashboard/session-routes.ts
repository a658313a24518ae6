import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { FiskError } from '../domain/errors.ts'
import { formatInstant } from '../domain/instant.ts'
import { csrfTokenOf, type SignedIn } from '../fiscal/access/sessions.ts'
import { type Caller, whileCallerWaits } from '../fiscal/sales/caller.ts'
import { clearSessionCookie, currentSession, type FindSession, setSessionCookie } from './authenticate.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'

export interface SessionUseCases {
  signIn(name: string, password: string, caller: Caller): Promise<SignedIn>
  /** Completes a session that waits for the code of the second factor. */
  showCode(token: string, code: string, caller: Caller): Promise<SignedIn>
  signOut(token: string): Promise<void>
  findSession: FindSession
}

const SignInBody = Type.Object(
  {
    name: Type.String({ maxLength: DASHBOARD_BOUNDS.signInName.most }),
    password: Type.String({ maxLength: DASHBOARD_BOUNDS.signInPassword.most }),
    code: Type.Optional(Type.String({ maxLength: DASHBOARD_BOUNDS.code.most })),
  },
  { additionalProperties: false },
)

/** Signing in to the dashboard and out of it: `POST`, `GET` and `DELETE /dashboard/session`. */
export const sessionRoutes: FastifyPluginAsyncTypebox<{ useCases: SessionUseCases }> = async (app, { useCases }) => {
  app.post('/dashboard/session', {
    schema: { body: SignInBody },
    config: { budget: 'sign-in' },
    handler: async ({ body, ip }, reply) => {
      const caller = { address: ip, signal: whileCallerWaits(reply.raw) }
      const begun = await useCases.signIn(body.name, body.password, caller)
      const signedIn = begun.complete ? begun : await complete(begun.token, body.code, caller)
      setSessionCookie(reply, signedIn.token, signedIn.expiresAt)
      reply.status(201)
      return sessionView(signedIn, csrfTokenOf(signedIn.token))
    },
  })

  async function complete(token: string, code: string | undefined, caller: Caller): Promise<SignedIn> {
    if (code !== undefined) return useCases.showCode(token, code, caller)
    await useCases.signOut(token)
    throw new FiskError('invalid_credentials', 'the code of the second factor is missing', { param: 'code' })
  }

  app.get('/dashboard/session', async (request) => {
    const session = await currentSession(request, useCases.findSession)
    if (!session) throw new FiskError('invalid_session', 'nobody is signed in', { param: 'Cookie' })
    return sessionView(session, session.csrfToken)
  })

  app.delete('/dashboard/session', async (request, reply) => {
    const session = await currentSession(request, useCases.findSession).catch((error: unknown) => {
      // To sign out of a session that has ended already is no error.
      if (error instanceof FiskError && error.code === 'invalid_session') return undefined
      throw error
    })
    if (session) await useCases.signOut(session.token)
    clearSessionCookie(reply)
    return reply.status(204).send()
  })
}

function sessionView({ user, expiresAt }: Pick<SignedIn, 'user' | 'expiresAt'>, csrfToken: string) {
  return {
    user: { id: user.id, name: user.name, role: user.role, is_platform_admin: user.isPlatformAdmin },
    csrf_token: csrfToken,
    expires_at: formatInstant(expiresAt),
  }
}
