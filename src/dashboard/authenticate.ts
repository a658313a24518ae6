import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../fiscal/access/principal.ts'
import { csrfTokenOf, principalOf, requireCsrfToken, type SignedIn } from '../fiscal/access/sessions.ts'

/** The prefix makes browsers insist: https only, this host only, the whole site. */
const NAME = '__Host-fiskd_session'
const ATTRIBUTES = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const

export const sessionTokenOf = (request: FastifyRequest): string | undefined => request.cookies[NAME]

export function setSessionCookie(reply: FastifyReply, token: string, expiresAt: number): void {
  reply.setCookie(NAME, token, { ...ATTRIBUTES, expires: new Date(expiresAt) })
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(NAME, ATTRIBUTES)
}

export type FindSession = (token: string) => Promise<Pick<SignedIn, 'user' | 'expiresAt'>>

const HARMLESS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The session of a request; undefined when it has none. What changes something must carry the session's CSRF token, for
 * a browser sends the cookie along with what other sites make it ask.
 * @throws FiskError `invalid_session`, `csrf_token_invalid`
 */
export async function currentSession(request: FastifyRequest, find: FindSession) {
  const token = sessionTokenOf(request)
  if (token === undefined) return undefined
  const session = await find(token)
  if (!HARMLESS.has(request.method)) requireCsrfToken(token, request.headers['x-csrf-token']?.toString())
  return { ...session, token, csrfToken: csrfTokenOf(token) }
}

/** The principal of a request that has a session. @throws as `currentSession` */
export async function identifySession(request: FastifyRequest, find: FindSession): Promise<Principal | undefined> {
  const session = await currentSession(request, find)
  return session && principalOf(session.user)
}
