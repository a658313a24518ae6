import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../domain/errors.ts'
import { acceptedLanguage } from '../../domain/texts/accepted-language.ts'
import { LANGUAGES, type Language } from '../../fiscal/ports/model.ts'
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

  app.get('/docs/errors', async (request, reply) => {
    const language = readerLanguage(request)
    asPage(reply, language)
    return errorIndexPage(language)
  })

  app.get<{ Params: { code: string } }>('/docs/errors/:code', {
    schema: { params: Type.Object({ code: Type.String() }) },
    handler: async (request, reply) => {
      const language = readerLanguage(request)
      const page = errorPage(request.params.code, language)
      if (page === undefined) throw notFound('code', 'there is no such error code')
      asPage(reply, language)
      return page
    },
  })
}

/** As chosen on the page, else as the browser says, else English: authors of firmware read these pages. */
function readerLanguage({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { lang?: unknown }
  return LANGUAGES.find((one) => one === lang) ?? acceptedLanguage(headers['accept-language']) ?? 'en'
}

function asPage(reply: FastifyReply, language: Language): void {
  reply
    .type('text/html; charset=utf-8')
    .header('Content-Language', language)
    .header('Vary', 'Accept-Language')
    .header('Content-Security-Policy', PAGE_POLICY)
}
