import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance } from 'fastify'
import { handleErrors } from '../errors.ts'
import { documentOptions, isDocumented } from './document.ts'
import type { AboutRoutes } from './reference.ts'

/** Nothing from elsewhere: neither kiosks nor offices need the internet to read this. */
const UI_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

interface MadeReference {
  /** OpenAPI 3.1, as JSON. */
  document: string
  /** What is to be browsed at `/docs`. */
  app: FastifyInstance
}

/** The document of some routes, and an application that shows it. */
export async function createReference({ routes, version, docsUrl }: AboutRoutes): Promise<MadeReference> {
  const app = fastify()
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  handleErrors(app, () => docsUrl)
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
  return { app, document: JSON.stringify(app.swagger()) }
}
