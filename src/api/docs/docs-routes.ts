import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../domain/errors.ts'
import { documentOptions } from './document.ts'
import { errorIndexPage, errorPage, PAGE_POLICY } from './error-pages.ts'

/** Nothing from elsewhere: neither kiosks nor offices need the internet to read this. */
const UI_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/**
 * The documents, made from the routes that are registered after this: `/docs/openapi.json`, a reference to browse at
 * `/docs`, and a page per error code at `/docs/errors/{code}`, where `error.doc_url` leads.
 */
export async function serveDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, documentOptions(version))
  await app.register(async (reference) => {
    await reference.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: UI_POLICY,
      uiConfig: { validatorUrl: null },
      theme: { title: 'fiskd API', css: [{ filename: 'fiskd.css', content: '.swagger-ui .topbar { display: none }' }] },
    })
  })

  app.get('/docs/openapi.json', async () => app.swagger())

  app.get('/docs/errors', async (_request, reply) => {
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', PAGE_POLICY)
    return errorIndexPage()
  })

  app.get<{ Params: { code: string } }>('/docs/errors/:code', {
    schema: { params: Type.Object({ code: Type.String() }) },
    handler: async ({ params }, reply) => {
      const page = errorPage(params.code)
      if (page === undefined) throw notFound('code', 'there is no such error code')
      reply.type('text/html; charset=utf-8').header('Content-Security-Policy', PAGE_POLICY)
      return page
    },
  })
}
