import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest } from '../domain/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came: idempotency compares these. */
    rawBody: Buffer
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON bodies: strict UTF-8, kept verbatim beside what they mean. An empty body is no body. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody')
  app.addHook('onRequest', async (request) => {
    request.rawBody = Buffer.alloc(0)
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.rawBody = body
    if (request.rawBody.length === 0) return undefined
    const value = parse(request.rawBody)
    if (isDeeperThan(value, MAX_DEPTH)) {
      throw invalidRequest('body', `the body is nested more than ${MAX_DEPTH} levels deep`)
    }
    return value
  })
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw invalidRequest('body', 'the body is not JSON in UTF-8')
  }
}

/** Far above any sale or configuration, far below where writing the value again would overflow the stack. */
const MAX_DEPTH = 32

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}
