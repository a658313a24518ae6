import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { API_BOUNDS } from '../contract/v1/bounds.ts'
import { type Principal, requireScope } from '../fiscal/access/principal.ts'
import type { UseCases } from '../fiscal/use-cases.ts'
import { serveDocs } from './docs/docs-routes.ts'
import { type DocsUrl, handleErrors, refuseAddress } from './errors.ts'
import { parseJsonBodies } from './json-body.ts'
import { refuseStrayForms } from './multipart.ts'
import { type CountUpload, createRateLimiters, type NetworkOf, onlyUploads, type RateLimits } from './rate-limits.ts'
import { refuseRepeatedHeaders } from './repeated-headers.ts'
import { echoRequestId, requestIdOf } from './request-id.ts'
import { RequestLog, type UnderLog, workUnderLog } from './request-log.ts'
import { caRoutes } from './routes/ca.ts'
import { certificateRoutes } from './routes/certificates.ts'
import { companyRoutes } from './routes/companies.ts'
import { companyLogoRoutes } from './routes/company-logos.ts'
import { countryRoutes, countrySchemaRoutes } from './routes/countries.ts'
import { deviceRoutes } from './routes/devices.ts'
import { healthRoutes } from './routes/health.ts'
import { invoiceRoutes } from './routes/invoices.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { compileWhenUsed } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set before anything else on every route that needs it. */
    principal: Principal
  }
}

export interface AppOptions {
  useCases: UseCases
  /** Returns the caller, or refuses. The public listener requires an API key or a session, the admin socket nothing. */
  identify: (request: FastifyRequest) => Promise<Principal>
  log: FastifyBaseLogger
  underLog: UnderLog
  docsUrl: DocsUrl
  version: string
  /** The public listener has rate limits, documents, sessions and its CA; null for the admin socket, which needs none. */
  open: { limits: RateLimits; networkOf: NetworkOf; caPem: () => Promise<string | null> } | null
  countUpload: CountUpload
}

const [files, fields] = [API_BOUNDS.uploadFiles.most, API_BOUNDS.uploadTexts.most]
const UPLOAD_LIMITS = { fieldSize: API_BOUNDS.uploadText.most, files, fields, parts: files + fields }

/** `/v1`, ready to be served; it listens nowhere by itself. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { useCases, identify, log, underLog, docsUrl, version, open, countUpload } = options
  const limiters = open ? createRateLimiters(open.limits, open.networkOf, countUpload) : onlyUploads(countUpload)
  const app = fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    bodyLimit: API_BOUNDS.json.most,
    genReqId: requestIdOf,
    return503OnClosing: false,
    frameworkErrors: refuseAddress(docsUrl, limiters.address),
    routerOptions: { maxParamLength: API_BOUNDS.pathText.most },
  }).withTypeProvider<TypeBoxTypeProvider>()
  // Responses are described for the documents; what they hold is decided by the views alone.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setValidatorCompiler(compileWhenUsed)
  workUnderLog(app, underLog)
  handleErrors(app, docsUrl)
  echoRequestId(app)
  parseJsonBodies(app)
  app.decorateRequest('principal')
  app.addHook('onRequest', (request, reply, done) => {
    limiters.address(request, reply)
    done()
  })
  refuseRepeatedHeaders(app)
  // An upload is a few texts and one file, whose size each route limits.
  await app.register(multipart, { limits: UPLOAD_LIMITS })
  refuseStrayForms(app)
  if (open) {
    await app.register(cookie)
    serveDocs(app, version, docsUrl)
    await app.register(caRoutes, { caPem: open.caPem })
  }
  await app.register(healthRoutes, { prefix: '/v1', useCases, version })
  await app.register(countrySchemaRoutes, { prefix: '/v1' })
  await app.register(async (authenticated) => {
    authenticated.addHook('onRequest', async (request, reply) => {
      request.principal = await identify(request)
      limiters.principal(request, reply)
      const { scope } = request.routeOptions.config
      if (scope) requireScope(request.principal, scope)
    })
    await authenticated.register(countryRoutes, { prefix: '/v1' })
    for (const routes of [
      invoiceRoutes,
      receiptRoutes,
      companyRoutes,
      companyLogoRoutes,
      deviceRoutes,
      certificateRoutes,
    ]) {
      await authenticated.register(routes, { prefix: '/v1', useCases })
    }
  })
  return app
}
