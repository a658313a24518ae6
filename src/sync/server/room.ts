import type { FastifyReply, FastifyRequest } from 'fastify'
import { FiskError } from '../../domain/errors.ts'
import { MAX_COMPRESSED_BYTES } from '../wire/messages.ts'

/** So much of what gateways are sending is held at a time, whatever their number. */
const MOST_BYTES = 128 * 1024 * 1024

/** Asks to come again at different times, so that they do not all come at once. */
const again = () => 1 + Math.floor(Math.random() * 5)

/**
 * Makes sure that there is memory for a body before any of it is read, and holds it until the request is done.
 * @throws FiskError `rate_limited` when there is none
 */
export function createRoom(most = MOST_BYTES): (request: FastifyRequest, reply: FastifyReply) => void {
  let held = 0
  return (request, reply) => {
    const announced = Number(request.headers['content-length'])
    const bytes = Number.isSafeInteger(announced) ? Math.min(announced, MAX_COMPRESSED_BYTES) : MAX_COMPRESSED_BYTES
    if (held + bytes > most) {
      const seconds = again()
      reply.header('Retry-After', seconds)
      throw new FiskError('rate_limited', `the server has its hands full: come again in ${seconds} seconds`)
    }
    held += bytes
    reply.raw.once('close', () => {
      held -= bytes
    })
  }
}
