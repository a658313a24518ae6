import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import { type DocsUrl, handleErrors } from '../errors.ts'
import { documentOptions, isDocumented } from './document.ts'

/** Nothing from elsewhere: neither kiosks nor offices need the internet to read this. */
const UI_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

export interface Reference {
  /** OpenAPI 3.1. */
  document: object
  /** What is to be browsed at `/docs`. */
  app: FastifyInstance
}

interface ReferenceDeps {
  /** Of the application that is described. */
  routes: readonly RouteOptions[]
  version: string
  docsUrl: DocsUrl
  log: FastifyBaseLogger
}

/** The document of some routes, and an application of its own that shows it and that only `/docs` is asked of. */
export async function createReference({ routes, version, docsUrl, log }: ReferenceDeps): Promise<Reference> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  handleErrors(app, docsUrl)
  await app.register(swagger, documentOptions(version))
  for (const { method, url, schema, config } of routes) {
    if (method === 'HEAD' || !isDocumented(url)) continue
    app.route({ method, url, handler: () => undefined, ...(schema && { schema }), ...(config && { config }) })
  }
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: UI_POLICY,
    uiConfig: { validatorUrl: null },
    theme: { title: 'fiskd API', css: [{ filename: 'fiskd.css', content: '.swagger-ui .topbar { display: none }' }] },
  })
  await app.ready()
  return { app, document: app.swagger() }
}
