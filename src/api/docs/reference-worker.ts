import { parentPort, workerData } from 'node:worker_threads'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify from 'fastify'
import { handleErrors } from '../errors.ts'
import { documentOptions, isDocumented } from './document.ts'
import type { AboutRoutes, Asked } from './reference.ts'

/** Nothing from elsewhere: neither kiosks nor offices need the internet to read this. */
const UI_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

const { routes, version, docsUrl }: AboutRoutes = JSON.parse(workerData)

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
app.get('/docs/openapi.json', async () => app.swagger())
await app.ready()

parentPort?.on('message', async ({ url, headers, port }: Asked) => {
  const { statusCode, headers: said, rawPayload } = await app.inject({ url, headers })
  port.postMessage({ status: statusCode, headers: said, body: rawPayload })
})
