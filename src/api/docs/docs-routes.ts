import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../domain/errors.ts'
import type { DocsUrl } from '../errors.ts'
import { errorIndexPage, errorPage, PAGE_POLICY } from './error-pages.ts'
import type { Reference } from './reference.ts'

/**
 * The documents, made from the routes that are registered after this: `/docs/openapi.json`, a reference to browse at
 * `/docs`, and a page per error code at `/docs/errors/{code}`, where `error.doc_url` leads. What makes the document and
 * the reference is loaded at the first request: most kiosks never get one.
 */
export function serveDocs(app: FastifyInstance, version: string, docsUrl: DocsUrl): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  let loaded: Promise<Reference> | undefined
  const load = () => {
    loaded ??= import('./reference.ts')
      .then(({ createReference }) => createReference({ routes, version, docsUrl, log: app.log }))
      .catch((error: unknown) => {
        // A disk that could not be read may be read the next time.
        loaded = undefined
        throw error
      })
    return loaded
  }
  app.addHook('onClose', async () => (await loaded?.catch(() => undefined))?.app.close())

  app.get('/docs/openapi.json', async () => (await load()).document)

  const browse = async (request: FastifyRequest, reply: FastifyReply) => {
    const reference = await load()
    const headers = reply.getHeaders()
    reply.hijack()
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value)
    reference.app.routing(request.raw, reply.raw)
  }
  for (const url of ['/docs', '/docs/*']) app.get(url, browse)

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
