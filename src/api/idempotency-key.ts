import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { API_BOUNDS } from '../contract/v1/bounds.ts'
import { FiskError, invalidRequest } from '../domain/errors.ts'
import type { IdempotencyUse } from '../fiscal/sales/idempotency.ts'

const MAX_KEY_LENGTH = API_BOUNDS.idempotencyKey.most

/** Its hash makes "the same request" byte-identical. @throws FiskError `missing_idempotency_key`, `invalid_request` */
export function idempotencyOf(request: FastifyRequest): IdempotencyUse {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') {
    throw new FiskError('missing_idempotency_key', 'the Idempotency-Key header is required', {
      param: 'Idempotency-Key',
    })
  }
  return useOf(request, key)
}

/** @param about what else makes it the same request @throws FiskError `invalid_request` when it is empty or too long */
export function optionalIdempotencyOf(request: FastifyRequest, about = ''): IdempotencyUse | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '') throw invalidRequest('Idempotency-Key', 'the idempotency key is empty')
  return useOf(request, key, about)
}

function useOf(request: FastifyRequest, key: string, about = ''): IdempotencyUse {
  if (key.length > MAX_KEY_LENGTH) {
    throw invalidRequest('Idempotency-Key', `the idempotency key has more than ${MAX_KEY_LENGTH} characters`)
  }
  const line = Buffer.from(`${request.method} ${request.url.split('?')[0]}\n`)
  const requestHash = hash('sha256', Buffer.concat([line, request.bodyHash, Buffer.from(about)]))
  const { id: scope, mode } = request.principal
  return { scope, mode, key, requestHash }
}
