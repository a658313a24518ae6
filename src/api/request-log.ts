import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked again and again by machines: its line is for the level `debug`. */
    quiet?: boolean
  }
}

/** Queries, unknown addresses and whatever else a caller made up stay out: they may hold a key or an OIB. */
export class RequestLog extends LogController {
  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    const begun = performance.now()
    const from = request.socket.remoteAddress
    reply.raw.once('close', () => {
      // Fastify puts them together anew each time.
      const { config, url } = request.routeOptions
      const level = config?.quiet ? 'debug' : 'info'
      const line = {
        method: request.method,
        path: pathOf(url, request.params),
        // A caller may be gone before there is an answer, or before it has arrived.
        ...(reply.raw.writableFinished ? { status: reply.statusCode } : { cut: true }),
        ms: Math.round(performance.now() - begun),
        by: request.principal?.id,
        from,
      }
      request.log[level](line, 'request')
    })
  }

  /** Never comes for a caller that is gone. */
  override requestCompleted(): void {}

  override writeHeadError(error: Error, request: FastifyRequest): void {
    request.log.warn({ err: error }, 'the head of an answer could not be written')
  }
}

const ID = /^(?:inv_[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The address by its route, such as `/v1/invoices/:id`; a parameter is filled in when it has the form of our ids. */
function pathOf(url: string | undefined, params: unknown): string | undefined {
  if (!url?.includes(':')) return url
  return url.replace(/:(\w+)/g, (placeholder, name: string) => {
    const value = String((params as Record<string, unknown>)[name])
    return ID.test(value) ? value : placeholder
  })
}

export type UnderLog = (log: FastifyBaseLogger, work: () => void) => void

/** What a request leads to happens under its log. */
export function workUnderLog(app: FastifyInstance, underLog: UnderLog): void {
  // After the body, which is read on the connection's behalf, and before anything is done for the request.
  app.addHook('preValidation', (request, _reply, done) => underLog(request.log, done))
}
