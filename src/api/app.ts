import multipart from '@fastify/multipart'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Principal } from '../fiscal/principal.ts'
import { handleErrors, refuseAddress } from './errors.ts'
import { parseJsonBodies } from './json-body.ts'
import { echoRequestId, requestIdOf } from './request-id.ts'
import { certificateRoutes } from './routes/certificates.ts'
import { companyRoutes } from './routes/companies.ts'
import { deviceRoutes } from './routes/devices.ts'
import { healthRoutes } from './routes/health.ts'
import { invoiceRoutes } from './routes/invoices.ts'
import type { UseCases } from './use-cases.ts'
import { AJV_OPTIONS } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set before anything else happens on every route that wants to know. */
    principal: Principal
  }
}

export interface AppOptions {
  useCases: UseCases
  /** Tells who is asking, or refuses. The public listener asks for an API key, the admin socket for nothing. */
  identify: (request: FastifyRequest) => Promise<Principal>
  log: FastifyBaseLogger
  docsUrl: string
  version: string
}

const JSON_LIMIT_BYTES = 256 * 1024

/** `/v1`, ready to be served; it listens nowhere by itself. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { useCases, identify, log, docsUrl, version } = options
  const app = fastify({
    loggerInstance: log,
    bodyLimit: JSON_LIMIT_BYTES,
    genReqId: requestIdOf,
    ajv: AJV_OPTIONS,
    return503OnClosing: false,
    frameworkErrors: refuseAddress(docsUrl),
    routerOptions: { maxParamLength: 1000 },
  }).withTypeProvider<TypeBoxTypeProvider>()
  handleErrors(app, docsUrl)
  echoRequestId(app)
  parseJsonBodies(app)
  await app.register(multipart, { limits: { fileSize: JSON_LIMIT_BYTES, files: 1, fields: 8, parts: 9 } })
  await app.register(healthRoutes, { prefix: '/v1', useCases, version })
  await app.register(async (authenticated) => {
    authenticated.decorateRequest('principal')
    authenticated.addHook('onRequest', async (request) => {
      request.principal = await identify(request)
    })
    for (const routes of [invoiceRoutes, companyRoutes, deviceRoutes, certificateRoutes]) {
      await authenticated.register(routes, { prefix: '/v1', useCases })
    }
  })
  return app
}
