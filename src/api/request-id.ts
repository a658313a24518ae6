import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Printable ASCII, so that nobody writes lines of their own into the log. */
const ACCEPTABLE = /^[\x21-\x7e]{1,200}$/

/** The caller's `X-Request-Id`, or one of ours (interface.md, General facts: Correlation). */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID()
}

export function echoRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
}
