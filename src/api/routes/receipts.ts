import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../contract/common.ts'
import { LINK_CONTENT, LINK_TYPES, RECEIPT_CONTENT, RECEIPT_TYPES, ReceiptQuery } from '../../contract/v1/receipt.ts'
import { FiskError } from '../../domain/errors.ts'
import { columnsIn } from '../../domain/printer.ts'
import type { GivenReceipt } from '../../fiscal/printing/give-receipt.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe } from '../docs/describe.ts'
import { optionalIdempotencyOf } from '../idempotency-key.ts'

const TYPES = Object.keys(RECEIPT_TYPES) as (keyof typeof RECEIPT_TYPES)[]
const LINKS = Object.keys(LINK_TYPES) as (keyof typeof LINK_TYPES)[]

export const receiptRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.get('/invoices/:id/receipt', {
    schema: describe('getReceipt', 'The receipt of an invoice, to print or to show', 'invoices', {
      description:
        'In the form that `Accept` prefers; without one it is text. The first answer to a key that sells ' +
        '(`invoices:write`) is the original, where the receipt was never on paper; every later one says `KOPIJA`. With an ' +
        '`Idempotency-Key` the same request gets the same bytes again, so that a lost answer loses no original. `HEAD` ' +
        'uses up nothing.',
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
      if (!type) throw notAcceptable('a receipt', TYPES)
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
      return reply.type(withCharset(type)).send(content)
    },
  })

  app.get('/invoices/:id/receipt-link', {
    schema: describe('getReceiptLink', 'The link to the receipt of an invoice, to show on a screen', 'invoices', {
      description:
        'The address of `receipt_url`, or a QR code of it, in the form that `Accept` prefers; without one it is text. Show ' +
        'the code at 25 mm or more, dark on light, with its margin. 404 where the sale has no link.',
      response: { 200: { content: LINK_CONTENT } },
      params: IdParams,
    }),
    config: { scope: 'invoices:read', refusals: [404, 406] },
    onRequest: async (_request, reply) => {
      reply.headers({ Vary: 'Accept', 'Cache-Control': 'no-store' })
    },
    handler: async ({ principal, params, headers }, reply) => {
      const type = acceptedType(headers.accept, LINKS)
      if (!type) throw notAcceptable('a link', LINKS)
      return reply.type(withCharset(type)).send(await useCases.linkCode(principal, params.id, LINK_TYPES[type]))
    },
  })
}

const withCharset = (type: string) => (type === 'text/plain' ? `${type}; charset=utf-8` : type)

function notAcceptable(what: string, types: readonly string[]): FiskError {
  const message = `${what} is ${types.slice(0, -1).join(', ')} or ${types.at(-1)}: accept one of these`
  return new FiskError('invalid_request', message, { status: 406, param: 'Accept' })
}

/**
 * RFC 9110, 12.5.1: a more specific range decides over `image/*` and that one over any type; of equally wanted types
 * the first offered one counts. @returns undefined when none of the offered types is acceptable
 */
export function acceptedType<Type extends string>(
  header: string | undefined,
  offered: readonly Type[],
): Type | undefined {
  const ranges = (header ?? '').split(',').flatMap(readRange)
  if (ranges.length === 0) return offered[0]
  const wanted = offered.map((type) => ({ type, quality: qualityOf(type, ranges) }))
  const best = Math.max(...wanted.map(({ quality }) => quality))
  return best === 0 ? undefined : wanted.find(({ quality }) => quality === best)?.type
}

/** Only the quality counts. `.2` is no quality by the standard, but clients in Java send it with any type. */
function readRange(text: string) {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return []
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const isNumber = quality === undefined || /^(0?\.\d{1,3}|0\.?|1(\.0{0,3})?)$/.test(quality)
  return [{ type, quality: isNumber ? Number(quality ?? 1) : 0 }]
}

function qualityOf(type: string, ranges: ReturnType<typeof readRange>): number {
  for (const range of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const found = ranges.find((one) => one.type === range)
    if (found) return found.quality
  }
  return 0
}
