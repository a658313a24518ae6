import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest } from '../domain/errors.ts'
import { isTooDeep, MAX_DEPTH } from '../domain/json-depth.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The hash of the body's bytes as they came: idempotency compares these. */
    bodyHash: Buffer
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const NO_BODY = hashOf(Buffer.alloc(0))

/** JSON bodies: strict UTF-8, hashed as they came. An empty body is no body. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyHash')
  app.addHook('onRequest', (request, _reply, done) => {
    request.bodyHash = NO_BODY
    done()
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.bodyHash = hashOf(body)
    if (body.length === 0) return undefined
    const value = parse(body)
    if (isTooDeep(value)) throw invalidRequest('body', `the body is nested more than ${MAX_DEPTH} levels deep`)
    return value
  })
}

function hashOf(body: Buffer): Buffer {
  return hash('sha256', body, 'buffer')
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw invalidRequest('body', 'the body is not JSON in UTF-8')
  }
}
