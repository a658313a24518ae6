import type { FastifyReply, FastifyRequest } from 'fastify'

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
