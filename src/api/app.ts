import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { API_BOUNDS } from '../contract/v1/bounds.ts'
import { invalidRequest } from '../domain/errors.ts'
import { duplicateKey } from '../domain/field-path.ts'
import { isTooDeep, MAX_DEPTH } from '../domain/json-limits.ts'
import { type Principal, requireScope } from '../fiscal/access/principal.ts'
import type { UseCases } from '../fiscal/use-cases.ts'
import { serveDocs } from './docs/docs-routes.ts'
import { type DocsUrl, handleErrors, refuseAddress } from './errors.ts'
import { type CountUpload, createRateLimiters, type NetworkOf, onlyUploads, type RateLimits } from './rate-limits.ts'
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
import { refuseUnknownParameters, refuseWrongBodies } from './wrong-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set before anything else on every route that needs it. */
    principal: Principal
    /** The hash of the body's bytes as they came: idempotency compares these. */
    bodyHash: Buffer
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
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })
  parseJsonBodies(app)
  app.decorateRequest('principal')
  app.addHook('onRequest', (request, reply, done) => {
    limiters.address(request, reply)
    done()
  })
  refuseRepeatedHeaders(app)
  // An upload is a few texts and one file, whose size each route limits.
  await app.register(multipart, { limits: UPLOAD_LIMITS })
  refuseWrongBodies(app)
  refuseUnknownParameters(app)
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

/** Characters that a response header allows; the log writes the id as JSON, so callers cannot forge log lines. */
const ACCEPTABLE = new RegExp(`^[\\x20-\\x7e\\xa0-\\xff]{1,${API_BOUNDS.requestId.most}}$`)

/** The caller's `X-Request-Id`, or one of ours (docs/spec/interface.md, General facts: Correlation). */
function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'] && request.headersDistinct['x-request-id']?.[0]
  return sent && ACCEPTABLE.test(sent) ? sent : randomUUID()
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const hashOf = (body: Buffer) => hash('sha256', body, 'buffer')
const NO_BODY = hashOf(Buffer.alloc(0))

/** JSON bodies: strict UTF-8, hashed as they came. An empty body is no body. */
function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyHash')
  app.addHook('onRequest', (request, _reply, done) => {
    request.bodyHash = NO_BODY
    done()
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.bodyHash = hashOf(body)
    if (body.length === 0) return undefined
    return parse(body)
  })
}

function parse(body: Buffer): unknown {
  const { text, value } = read(body)
  if (isTooDeep(value)) throw invalidRequest('body', `the body is nested more than ${MAX_DEPTH} levels deep`)
  const twice = duplicateKey(text)
  if (twice !== undefined) throw invalidRequest(twice, `${twice} is there twice: which one counts?`)
  return value
}

function read(body: Buffer): { text: string; value: unknown } {
  try {
    const text = utf8.decode(body)
    return { text, value: JSON.parse(text) }
  } catch {
    const isGzip = body[0] === 0x1f && body[1] === 0x8b
    throw invalidRequest('body', isGzip ? 'the body is compressed: send it as it is' : 'the body is not JSON in UTF-8')
  }
}

/** What a request is, who sends it and whether it is a repetition: two lines would say two things. */
const ONE_LINE = {
  'idempotency-key': 'Idempotency-Key',
  'content-type': 'Content-Type',
  'x-include-messages': 'X-Include-Messages',
}

/**
 * Node joins the lines of one header, or keeps the first: `Idempotency-Key: K` twice would be the key `K, K`, and the
 * sale a second one. More than one line of a header that decides about the request is refused, an empty one too; of any
 * other the first counts. A wrong caller is refused before a wrong request.
 */
function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const repeated = linesOfRepeated(request)
    if (repeated.authorization) return done(refusal('Authorization'))
    for (const [name, lines] of Object.entries(repeated)) request.raw.headers[name] = lines?.[0]
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const repeated = linesOfRepeated(request)
    const header = Object.entries(ONE_LINE).find(([name]) => repeated[name])
    done(header && refusal(header[1]))
  })
}

function linesOfRepeated({ raw }: FastifyRequest): NodeJS.Dict<string[]> {
  const { rawHeaders, headers } = raw
  // A line of each: nearly every request.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return {}
  const lines = Object.entries(raw.headersDistinct).filter(([, values]) => (values?.length ?? 0) > 1)
  return Object.fromEntries(lines)
}

const refusal = (header: string) => invalidRequest(header, `send one ${header} header: this request has more than one`)
