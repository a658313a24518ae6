import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keep, Once } from '../fiscal/sales/idempotency.ts'
import { optionalIdempotencyOf } from './idempotency-key.ts'

/** Sends a response as it was written, the first time and each time it is replayed. */
export function sendAnswer(reply: FastifyReply, answer: { status: number; body: string; replayed: boolean }): string {
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true')
  reply.status(answer.status).type('application/json; charset=utf-8')
  return answer.body
}

export interface Answering<T> {
  status: number
  view: (result: T) => object
  /** Given what keeps the response in the transaction of its effect. */
  work: (keep: Keep<T>) => Promise<T>
}

/** Answers a POST that may carry an `Idempotency-Key` (docs/spec/interface.md, Idempotency). */
export async function answerOnce<T>(
  once: Once,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, view, work }: Answering<T>,
): Promise<string> {
  const response = (result: T) => ({ status, body: JSON.stringify(view(result)) })
  const answer = await once(optionalIdempotencyOf(request), async (keep) => {
    return response(await work((tx, result) => keep(tx, response(result))))
  })
  return sendAnswer(reply, answer)
}
