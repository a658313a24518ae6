import { Transform, type TransformCallback } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { FiskError } from '../../domain/errors.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'

/** Asks to come again at different times, so that they do not all come at once. */
const again = () => 1 + Math.floor(Math.random() * 5)

/** What one kind of body may take. */
export interface Share {
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
