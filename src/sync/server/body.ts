import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import type { Check } from '../wire/check.ts'
import { MAX_INFLATED_BYTES } from '../wire/messages.ts'

const inflate = promisify(gunzip)
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bodies are inflated and read as they come: for small ones. */
export function readBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    read(request, body),
  )
}

/** Bodies stay the bytes that they came as until somebody takes them up with `bodyOf`. */
export function keepBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body)
}

/**
 * The body of a request.
 * @throws FiskError `request_too_large` for one that inflates beyond all measure, `invalid_request` for what is no JSON of
 *   the shape
 */
export async function bodyOf<T extends TSchema>(request: FastifyRequest, check: Check<T>): Promise<Static<T>> {
  const { body } = request
  const checked = check(Buffer.isBuffer(body) ? await read(request, body) : body)
  if ('value' in checked) return checked.value
  throw invalidRequest(checked.fault.field || 'body', checked.fault.message)
}

async function read(request: FastifyRequest, body: Buffer): Promise<unknown> {
  return parse(await inflated(body, request.headers['content-encoding']))
}

async function inflated(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes
  if (encoding !== 'gzip') throw invalidRequest('Content-Encoding', 'send gzip, or no encoding')
  try {
    return await inflate(bytes, { maxOutputLength: MAX_INFLATED_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new FiskError('request_too_large', `the body has more than ${MAX_INFLATED_BYTES} bytes when it is inflated`)
    }
    throw invalidRequest('body', 'the body is not gzip')
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalidRequest('body', 'the body is not JSON in UTF-8')
  }
}
