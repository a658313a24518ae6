import { isUtf8 } from 'node:buffer'
import { Transform, type TransformCallback } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import type { Check } from '../wire/check-value.ts'

const inflate = promisify(gunzip)
/** Each piece is a word with the main thread, and a copy. */
const INFLATED_AT_ONCE = 4 * 1024 * 1024

/** Bodies are inflated and read as they come: for small ones, which inflated have no more bytes than as they come. */
export function readBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    read(request, body, request.routeOptions.bodyLimit),
  )
}

/** Keeps bodies as the received bytes; `bodyOf` parses them. */
export function keepBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body)
}

/** @throws FiskError `request_too_large` for too many values or bytes, `invalid_request` for another shape */
export async function bodyOf<T extends TSchema>(request: FastifyRequest, check: Check<T>): Promise<Static<T>> {
  const { body } = request
  const checked = check(Buffer.isBuffer(body) ? await read(request, body, SYNC_BOUNDS.unpacked.most) : body)
  if ('value' in checked) return checked.value
  throw invalidRequest(checked.fault.field || 'body', checked.fault.message)
}

async function read(request: FastifyRequest, body: Buffer, most: number): Promise<unknown> {
  const json = await inflated(body, request.headers['content-encoding'], most)
  if (await hasTooManyValues(json)) throw tooLarge(`the body has more than ${SYNC_BOUNDS.values.most} values`)
  return parse(json)
}

const tooLarge = (why: string) => new FiskError('request_too_large', why)

async function inflated(bytes: Buffer, encoding: string | undefined, most: number): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes
  if (encoding !== 'gzip') throw invalidRequest('Content-Encoding', 'send gzip, or no encoding')
  // What gzip ends with. Anybody can write there what they like: no more is set aside for it than is taken at all.
  const promised = bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4)
  const chunkSize = Math.max(64, Math.min(promised, most, INFLATED_AT_ONCE) + 1)
  try {
    return await inflate(bytes, { maxOutputLength: most, chunkSize })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(`the body has more than ${most} bytes when it is inflated`)
    }
    throw invalidRequest('body', 'the body is not gzip')
  }
}

/** Bytes in which values are counted without a pause. */
const COUNTED_AT_ONCE = 2 * 1024 * 1024

const [BRACE, BRACKET, COMMA] = [0x7b, 0x5b, 0x2c]

/** Whether JSON has more values than are taken: to read them costs a hundred times what it costs to count them. */
async function hasTooManyValues(json: Uint8Array): Promise<boolean> {
  let values = 0
  for (let start = 0; start < json.length; start += COUNTED_AT_ONCE) {
    if (start > 0) await setImmediate()
    const step = json.subarray(start, start + COUNTED_AT_ONCE)
    for (const mark of [COMMA, BRACE, BRACKET]) {
      for (let at = step.indexOf(mark); at >= 0; at = step.indexOf(mark, at + 1))
        if (++values > SYNC_BOUNDS.values.most) return true
    }
  }
  return false
}

function parse(bytes: Buffer): unknown {
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8'))
  } catch {
    // As what is no text at all.
  }
  throw invalidRequest('body', 'the body is not JSON in UTF-8')
}

/** Asks to come again at different times, so that they do not all come at once. */
const again = () => 1 + Math.floor(Math.random() * 5)

interface Share {
  /** The largest body. */
  bytes: number
  /** So many bodies of one sender are taken at a time. */
  bodies: number
  senderOf: (request: FastifyRequest) => string
}

export type TakeMemory = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: RequestPayload,
) => Promise<RequestPayload>

/**
 * Limits the memory for bodies; all kinds of bodies share one pool. A body is refused before it is read when the pool
 * has no room for all of it. Bytes count as they arrive, so that a slow line takes little, until the request is done.
 * @returns a hook of `preParsing` for each kind, which throws FiskError `rate_limited` when there is no memory, or when the
 *   sender has its share already
 */
export function createBodyMemoryLimit(most: number = SYNC_BOUNDS.held.most): (share: Share) => TakeMemory {
  let held = 0
  return ({ bytes, bodies, senderOf }) => {
    const senders = new Map<string, number>()
    return async (request, reply, payload) => {
      const sender = senderOf(request)
      const own = senders.get(sender) ?? 0
      if (own >= bodies) throw refused('what was sent before is still being read')
      const announced = Number(request.headers['content-length'])
      if (held + (Number.isSafeInteger(announced) ? Math.min(announced, bytes) : bytes) > most) throw full()
      senders.set(sender, own + 1)
      let arrived = 0
      reply.raw.once('close', () => {
        held -= arrived
        const left = (senders.get(sender) ?? 1) - 1
        if (left === 0) senders.delete(sender)
        else senders.set(sender, left)
      })
      return counted(payload, ({ length }) => {
        if (arrived + length > bytes) return new FiskError('request_too_large', 'the body is too large')
        if (reply.raw.closed) return undefined
        if (held + length > most) return full()
        arrived += length
        held += length
        return undefined
      })
    }
  }
}

/** The bytes of a body, as long as `take` has nothing against them. */
function counted(payload: RequestPayload, take: (chunk: Buffer) => FiskError | undefined): RequestPayload {
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const refusal = take(chunk)
      if (refusal) done(refusal)
      else done(null, chunk)
    },
  })
  // The request itself stays open, for its answer; what else comes of it is nothing to anybody.
  through.once('error', () => {
    payload.unpipe(through)
    payload.resume()
  })
  payload.once('error', (error) => through.destroy(error))
  payload.once('close', () => {
    if (!payload.readableEnded) through.destroy(Object.assign(new Error('broken off'), { code: 'ECONNRESET' }))
  })
  return payload.pipe(through)
}

const full = () => refused('the server has its hands full')

function refused(why: string): FiskError {
  const retryAfterS = again()
  return new FiskError('rate_limited', `${why}: come again in ${retryAfterS} seconds`, { retryAfterS })
}
