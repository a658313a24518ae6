import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { API_BOUNDS } from '../contract/v1/bounds.ts'

/** Characters that a response header allows; the log writes the id as JSON, so callers cannot forge log lines. */
const ACCEPTABLE = new RegExp(`^[\\x20-\\x7e\\xa0-\\xff]{1,${API_BOUNDS.requestId.most}}$`)

/** The caller's `X-Request-Id`, or one of ours (docs/spec/interface.md, General facts: Correlation). */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'] && request.headersDistinct['x-request-id']?.[0]
  return sent && ACCEPTABLE.test(sent) ? sent : randomUUID()
}

export function echoRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })
}
