import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { SaleRequest } from '../../domain/resolve-sale.ts'
import type { IdempotencyUse } from '../../fiscal/idempotent.ts'
import type { Device } from '../../fiscal/model.ts'
import { requireScope } from '../../fiscal/principal.ts'
import { idempotencyOf } from '../idempotency-key.ts'
import { IncludeMessages, InvoiceParams, SaleBody } from '../schemas/invoice.ts'
import type { UseCases } from '../use-cases.ts'
import { invoiceView, messageView, saleView } from '../views/invoice.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The device that posts a sale, as soon as it is known. */
    device: Device | undefined
    /** The use of its idempotency key, hashed once. */
    idempotency: IdempotencyUse
  }
}

/** Sales (interface.md, POST /v1/invoices, POST /v1/invoices/{id}/retry, GET /v1/invoices/{id}). */
export const invoiceRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.decorateRequest('device', undefined)
  app.decorateRequest('idempotency')

  app.post('/invoices', {
    schema: { body: SaleBody, querystring: IncludeMessages },
    preValidation: async (request) => {
      requireScope(request.principal, 'invoices:write')
      const deviceId = (request.body as { device_id?: unknown } | null | undefined)?.device_id
      if (typeof deviceId === 'string') {
        request.device = (await useCases.greetDevice(request.principal, deviceId.toLowerCase()))?.device
      }
      request.idempotency = idempotencyOf(request)
    },
    onSend: async (request, reply) => {
      // A sale that was taken up has noted its device in its own transaction.
      const isTakenUp = reply.statusCode === 200 && !reply.hasHeader('Idempotent-Replayed')
      if (!request.device || isTakenUp) return
      await useCases.noteSeen(request.device.id).catch((error: unknown) => {
        request.log.error({ err: error }, 'when the device was last seen could not be stored')
      })
    },
    handler: async (request, reply) => {
      const sold = await useCases.fiscalize({
        principal: request.principal,
        request: { ...(request.body as SaleRequest), device_id: request.body.device_id.toLowerCase() },
        idempotency: request.idempotency,
        render: (invoice) => JSON.stringify(saleView(invoice)),
      })
      if (sold.replayed) reply.header('Idempotent-Replayed', 'true')
      reply.type('application/json; charset=utf-8')
      if (!wantsMessages(request)) return sold.body
      return JSON.stringify(await withMessages(JSON.parse(sold.body), sold.invoiceId))
    },
  })

  app.get('/invoices/:id', {
    schema: { params: InvoiceParams, querystring: IncludeMessages },
    handler: async (request) => {
      requireScope(request.principal, 'invoices:read')
      const invoice = await useCases.findInvoice(request.principal, request.params.id)
      const view = invoiceView(invoice)
      return request.query.include_messages === 'true' ? withMessages(view, invoice.id) : view
    },
  })

  app.post('/invoices/:id/retry', {
    schema: { params: InvoiceParams, querystring: IncludeMessages },
    handler: async (request) => {
      const invoice = await useCases.retry(request.principal, request.params.id)
      const view = saleView(invoice)
      return wantsMessages(request) ? withMessages(view, invoice.id) : view
    },
  })

  /** The trail is read anew each time, on a replay too: a stored response never contains XML. */
  async function withMessages<T extends object>(view: T, invoiceId: string) {
    return { ...view, messages: (await useCases.messagesOf(invoiceId)).map(messageView) }
  }
}

/** By query or, on a POST, by the header `X-Include-Messages`; never by a body field, for the body is hashed. */
function wantsMessages(request: FastifyRequest): boolean {
  const header = request.headers['x-include-messages']
  const query = (request.query as { include_messages?: string }).include_messages
  return query === 'true' || (query === undefined && header !== undefined && header !== 'false' && header !== '0')
}
