import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../contract/common.ts'
import { RECEIPT_CONTENT, RECEIPT_TYPES, ReceiptQuery } from '../../contract/v1/receipt.ts'
import { FiskError } from '../../domain/errors.ts'
import { columnsIn } from '../../domain/printer.ts'
import type { GivenReceipt } from '../../fiscal/printing/give-receipt.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { acceptedType } from '../accepted-type.ts'
import { describe } from '../docs/describe.ts'
import { optionalIdempotencyOf } from '../idempotency-key.ts'

const TYPES = Object.keys(RECEIPT_TYPES) as (keyof typeof RECEIPT_TYPES)[]

/** Receipts for firmware and screens that have no printer of ours. */
export const receiptRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.get('/invoices/:id/receipt', {
    schema: describe({
      operationId: 'getReceipt',
      summary: 'The receipt of an invoice, to print or to show',
      description:
        'In the form that `Accept` prefers; without one it is text. The first answer to a key that sells ' +
        '(`invoices:write`) is the original, where the receipt was never on paper; every later one says `KOPIJA`. With an ' +
        '`Idempotency-Key` the same request gets the same bytes again, so that a lost answer loses no original. `HEAD` ' +
        'uses up nothing.',
      tags: ['invoices'],
      response: { 200: { content: RECEIPT_CONTENT } },
      params: IdParams,
      querystring: ReceiptQuery,
    }),
    config: {
      scope: 'invoices:read',
      refusals: [404, 406],
      errors: ['idempotency_key_reused'],
      repeatable: true,
    },
    onRequest: async (_request, reply) => {
      reply.headers({ Vary: 'Accept', 'Cache-Control': 'no-store' })
    },
    handler: async (request, reply) => {
      const { principal, params, query } = request
      const type = acceptedType(request.headers.accept, TYPES)
      if (!type) throw notAcceptable()
      const columns = columnsIn(query.columns)
      const wanted = { form: RECEIPT_TYPES[type], columns, isTaken: request.method === 'GET' }
      const use = wanted.isTaken ? optionalIdempotencyOf(request, `${type} ${columns}`) : undefined
      let content: Buffer | undefined
      const kept = (given: GivenReceipt) => ({ status: 200, body: JSON.stringify(given) })
      const answer = await useCases.once(use, async (keep) => {
        const first = await useCases.giveReceipt(principal, params.id, wanted, (tx, given) => keep(tx, kept(given)))
        content = first.content
        return kept(first.given)
      })
      if (answer.replayed) {
        reply.header('Idempotent-Replayed', 'true')
        content = await useCases.drawGiven(principal, params.id, JSON.parse(answer.body))
      }
      return reply.type(type === 'text/plain' ? `${type}; charset=utf-8` : type).send(content)
    },
  })
}

function notAcceptable(): FiskError {
  const message = `a receipt is ${TYPES.slice(0, -1).join(', ')} or ${TYPES.at(-1)}: accept one of these`
  return new FiskError('invalid_request', message, { status: 406, param: 'Accept' })
}
