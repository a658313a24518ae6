import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { IdParams } from '../../contract/common.ts'
import {
  IncludeMessages,
  InvoiceList,
  InvoiceSchema,
  InvoicesQuery,
  Sale,
  SaleBody,
} from '../../contract/v1/invoice.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { parseInstant } from '../../domain/instant.ts'
import { requireDevice } from '../../fiscal/access/principal.ts'
import { readSlice } from '../../fiscal/list-page.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { Origin } from '../../fiscal/ports/rows/sales.ts'
import type { IdempotencyUse } from '../../fiscal/sales/idempotency.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe } from '../docs/describe.ts'
import { idempotencyOf } from '../idempotency-key.ts'
import { answerOnce, sendAnswer } from '../replay-answer.ts'
import { fullMessageView, invoiceView, messageView, saleView } from '../views/invoice.ts'
import { pageList } from '../views/view.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The device that posts a sale, and what belongs to it, as soon as it is known. */
    origin: Origin | undefined
    /** The use of its idempotency key, hashed once. */
    idempotency: IdempotencyUse
  }
}

/** Sales (docs/spec/interface.md, POST /v1/invoices and the chapters after it). */
export const invoiceRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.decorateRequest('origin', undefined)
  app.decorateRequest('idempotency')

  app.post('/invoices', {
    schema: describe('fiscalizeSale', 'Fiscalize a sale', 'invoices', {
      description:
        'Validates, numbers, signs and sends the sale, and waits for the answer: 1 to 3 seconds, at worst 9. Wait at least ' +
        '10 seconds, better 15. HTTP 200 is a valid sale whether or not there is a JIR: hand out the goods. After 429, ' +
        '500 or no answer send the same bytes with the same `Idempotency-Key`; after another 4xx of this list do not. Any ' +
        'other status, such as 408, 502, 503 or 504, comes from a proxy and not from fiskd: treat it like 500. A 401 or 403 ' +
        'to a repeated sale says nothing about the attempts before it.',
      response: { 200: Sale },
      body: SaleBody,
      querystring: IncludeMessages,
    }),
    config: {
      scope: 'invoices:write',
      refusals: [404],
      errors: [
        'missing_idempotency_key',
        'hr.device_missing_isu',
        'device_inactive',
        'device_owned_by_gateway',
        'company_missing_certificate',
        'certificate_expired',
        'hr.certificate_oib_mismatch',
        'hr.sale_older_than_30_days',
        'hr.date_in_future',
        'hr.invalid_vat_rate',
        'hr.invalid_pnp_rate',
        'hr.invalid_payment_method',
        'hr.amount_out_of_range',
        'hr.invalid_oib',
        'hr.invalid_receipt_number',
        'mode_mismatch',
        'idempotency_key_reused',
        'invoice_already_exists',
        'hr.sequence_level_conflict',
      ],
    },
    preValidation: async (request) => {
      const deviceId = (request.body as { device_id?: unknown } | null | undefined)?.device_id
      if (typeof deviceId === 'string') {
        const origin = await useCases.authorizeDevice(request.principal, deviceId.toLowerCase())
        if (origin) requireDevice(request.principal, origin.device.id)
        request.origin = origin
      }
      request.idempotency = idempotencyOf(request)
    },
    onSend: async (request, reply) => {
      // A sale that was taken up has noted its device in its own transaction.
      const isTakenUp = reply.statusCode === 200 && !reply.hasHeader('Idempotent-Replayed')
      if (!request.origin || isTakenUp) return
      await useCases.noteSeen(request.origin.device.id).catch((error: unknown) => {
        request.log.debug({ err: error }, 'when the device was last seen could not be stored')
      })
    },
    handler: async (request, reply) => {
      const sold = await useCases.fiscalize({
        principal: request.principal,
        request: { ...request.body, device_id: request.body.device_id.toLowerCase() },
        idempotency: request.idempotency,
        origin: request.origin,
        render: (invoice, receiptUrl) => JSON.stringify(saleView(invoice, receiptUrl)),
      })
      return withMessages(request, sendAnswer(reply, { status: 200, ...sold }))
    },
  })

  app.get('/invoices', {
    schema: describe('listInvoices', 'List invoices, the latest sale first', 'invoices', {
      description: 'Filters combine with AND. Rows that are added meanwhile do not move the next page.',
      response: { 200: InvoiceList },
      querystring: InvoicesQuery,
    }),
    config: { scope: 'invoices:read' },
    handler: async ({ principal, query }) => {
      const { company_id, device_id, premises_code, status, from, to } = query
      const filter = {
        companyId: company_id?.toLowerCase(),
        deviceId: device_id?.toLowerCase(),
        premisesCode: premises_code,
        status,
        from: parseInstant(from),
        to: parseInstant(to),
      }
      const page = await useCases.listInvoices(principal, filter, readSlice('invoices', query))
      const prints = await useCases.receiptPrints(page.items.map(({ id }) => id))
      const urlOf = await useCases.receiptUrls()
      return pageList('invoices', page, (invoice) => invoiceView(invoice, prints.get(invoice.id), urlOf(invoice)))
    },
  })

  app.get('/invoices/:id', {
    schema: describe('getInvoice', 'Retrieve an invoice', 'invoices', {
      description:
        'With the JIR once it has arrived, `country_data.receipt_number` as it stands on a receipt (`418/POSL1/101`), and ' +
        '`receipt_print`, which tells whether the receipt came out.',
      response: { 200: InvoiceSchema },
      params: IdParams,
      querystring: IncludeMessages,
    }),
    config: { scope: 'invoices:read', refusals: [404] },
    handler: async (request, reply) => {
      const invoice = await useCases.findInvoice(request.principal, request.params.id)
      const prints = await useCases.receiptPrints([invoice.id])
      const urlOf = await useCases.receiptUrls()
      reply.type('application/json; charset=utf-8')
      return withMessages(request, JSON.stringify(invoiceView(invoice, prints.get(invoice.id), urlOf(invoice))))
    },
  })

  app.post('/invoices/:id/retry', {
    schema: describe('retryInvoice', 'Send an invoice again that has no JIR', 'invoices', {
      description:
        'For `retrying` and `failed` invoices; 409 for `confirmed` and `expired` ones. No body. It takes as long as a sale. ' +
        'Firmware does not need it: fiskd sends `retrying` invoices again by itself.',
      response: { 200: Sale },
      params: IdParams,
      querystring: IncludeMessages,
    }),
    config: {
      scope: 'invoices:write',
      refusals: [404, 409],
      errors: ['invoice_owned_by_gateway', 'idempotency_key_reused'],
    },
    preValidation: async ({ body }) => {
      const [field] = typeof body === 'object' && body !== null ? Object.keys(body) : []
      if (field !== undefined) throw invalidRequest(field, 'a retry has no body')
    },
    handler: async (request, reply) => {
      const urlOf = await useCases.receiptUrls()
      const body = await answerOnce(useCases.once, request, reply, {
        status: 200,
        view: (invoice: Invoice) => saleView(invoice, urlOf(invoice)),
        work: (keep) => useCases.retry(request.principal, request.params.id, keep),
      })
      return withMessages(request, body)
    },
  })

  /** The trail is read anew each time, on a replay too: a stored response never contains XML. */
  async function withMessages(request: FastifyRequest, body: string): Promise<string> {
    if (!wantsMessages(request)) return body
    const view: { id: string } = JSON.parse(body)
    const { messages, leftOut } = await useCases.messagesOf(view.id)
    if (request.method !== 'GET') return JSON.stringify({ ...view, messages: messages.map(messageView) })
    const isAll = leftOut.messages + leftOut.xml === 0
    const all = { ...view, messages: messages.map(fullMessageView) }
    return JSON.stringify(isAll ? all : { ...all, messages_left_out: leftOut })
  }
}

/** By query or, on a POST, by the header `X-Include-Messages`; never by a body field, for the body is hashed. */
function wantsMessages(request: FastifyRequest): boolean {
  const query = (request.query as { include_messages?: string }).include_messages
  if (query !== undefined || request.method !== 'POST') return query === 'true'
  const header = request.headers['x-include-messages']
  return typeof header === 'string' && !/^(|0|false|no)$/i.test(header.trim())
}
