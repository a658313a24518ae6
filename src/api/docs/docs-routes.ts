import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../domain/errors.ts'
import { acceptedLanguage } from '../../domain/texts/accepted-language.ts'
import { LANGUAGES, type Language } from '../../fiscal/ports/model.ts'
import type { DocsUrl } from '../errors.ts'
import { errorIndexPage, errorPage, PAGE_POLICY } from './error-pages.ts'
import { type Reference, startReference } from './reference.ts'

/** What decides about an answer of the reference, and what an answer says of its own connection. */
const FORWARDED = ['if-none-match', 'if-modified-since', 'range']
const OF_HOP = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']

/**
 * Made from the routes that are registered after this: `/docs/openapi.json`, a reference at `/docs`, and a page per
 * code at `/docs/errors/{code}`, where `error.doc_url` leads. The thread that makes the first two is started at the first
 * request: most kiosks never get one.
 */
export function serveDocs(app: FastifyInstance, version: string, docsUrl: DocsUrl): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  let reference: Reference | undefined
  const start = () => {
    // Of a route nothing else can cross to the thread.
    const known = routes.map(({ method, url, schema = {}, config = {} }) => ({ method, url, schema, config }))
    return startReference({ routes: known as RouteOptions[], version, docsUrl: docsUrl() })
  }
  app.addHook('onClose', async () => void (await reference?.close()))

  const browse = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    if (!reference || reference.hasEnded()) reference = start()
    const forwarded = FORWARDED.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))
    const { status, headers: said, body } = await reference.ask(url, Object.fromEntries(forwarded))
    for (const name of OF_HOP) delete said[name]
    return reply.status(status).headers(said).send(Buffer.from(body))
  }
  for (const url of ['/docs/openapi.json', '/docs', '/docs/*']) app.get(url, browse)

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
