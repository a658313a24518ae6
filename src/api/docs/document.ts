import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { documented } from '../../contract/v1/formats.ts'
import { codesOf, errorAnswers } from './error-answers.ts'
import { mapValues, RESPONSE_HEADERS, requestHeaders, withResponseHeaders } from './headers.ts'

type Json = Record<string, unknown>

const ABOUT = `fiskd reports the sales of self-service machines to the Croatian tax authority.

Post a sale to \`/v1/invoices\` with an \`Idempotency-Key\`. HTTP 200 is a valid sale: hand out the goods and give a receipt,
whether there is a JIR or not. A 4xx was not fiscalized: correct the request. After a 429, a 5xx or no answer, send the same bytes
with the same key again. Wait at least 10 seconds for an answer, better 15: \`x-timeout-seconds\` of each operation says how long.
The prefix of the API key (\`fisk_test_\`, \`fisk_live_\`) alone decides which service of the tax authority is used.
No page of another origin is answered (CORS is off): a program on the machine posts the sale, and the page asks that program.

\`/usr/share/doc/fiskd/docs/firmware.md\` on the machine explains how firmware connects, posts, repeats and prints.`

const TAGS = [
  { name: 'invoices', description: 'Sales and what became of them' },
  { name: 'companies', description: 'Fiscal identities' },
  { name: 'devices', description: 'Self-service machines' },
  { name: 'certificates', description: 'What companies sign with' },
  { name: 'service', description: 'Countries, health and the CA' },
]

/** How long a client waits for an answer. A sale takes 9 seconds at worst; an upload is read, checked and stored as a whole. */
const TIMEOUT_S = { request: 15, upload: 60 }

export function documentOptions(version: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'fiskd',
        version,
        summary: 'Fiscalization of the sales of self-service machines in Croatia',
        description: ABOUT,
        contact: { name: 'The fiskd authors' },
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      } as never,
      servers: [
        {
          url: 'https://{address}',
          description: 'fiskd at an address that its certificate names',
          variables: {
            address: { default: 'localhost:8443', description: 'Host and port; the default is the same machine' },
          },
        },
        { url: '/', description: 'The fiskd that this document came from' },
      ],
      tags: TAGS,
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer fisk_test_...`' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-fiskd_session',
            description: 'Of the dashboard; what changes something needs `X-CSRF-Token` too',
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => ({ schema: describeRoute(schema ?? {}, url, route), url }),
    transformObject: (document) => {
      const { paths, components, ...rest } = ('openapiObject' in document ? document.openapiObject : {}) as Json
      const schemas: Json = {}
      const hoisted = hoist(documented(withResponseHeaders(paths as Json)), schemas)
      return {
        ...rest,
        components: { ...(components as Json), headers: RESPONSE_HEADERS, schemas },
        paths: hoisted,
      } as never
    },
  }
}

/** `/v1`, and the CA that a client needs before it can ask anything of `/v1`. */
export const isDocumented = (url: string) => url.startsWith('/v1/') || url === '/ca.pem'

const UNCHANGED: Json = { 304: { type: 'null', description: 'It is still the same' } }

/** What holds for every route is added here, so that no route can forget it. */
function describeRoute(schema: FastifySchema, url: string, { config = {}, method }: RouteOptions): FastifySchema {
  if (!isDocumented(url)) return { ...schema, hide: true } as FastifySchema
  const { keyless = false, form, scope, errors = [], refusals = [], repeatable = false, tagged = false } = config
  const codes = codesOf(errors, { keyless, method: String(method), scoped: scope !== undefined })
  const answers = mapValues((schema.response ?? {}) as Json, (answer, status) =>
    success(String(STATUS_CODES[status]), answer as object),
  )
  return {
    ...schema,
    'x-timeout-seconds': form ? TIMEOUT_S.upload : TIMEOUT_S.request,
    ...(form && { body: form, consumes: ['multipart/form-data'] }),
    ...(scope && { description: [schema.description, `Scope: \`${scope}\`.`].filter(Boolean).join(' ') }),
    headers: requestHeaders(String(method), url, { repeatable, tagged }),
    ...(keyless && { security: [] }),
    response: { ...errorAnswers(codes, refusals), ...(tagged && UNCHANGED), ...answers },
  } as FastifySchema
}

/** A schema is of JSON; other content types are said by the route. */
function success(description: string, answer: object): Json {
  if ('content' in answer) return { description, ...answer }
  return { description, content: { 'application/json': { schema: answer } } }
}

/** Moves each schema that has a title to the components, once, and leaves a reference where it stood. */
function hoist(node: unknown, schemas: Json): unknown {
  if (Array.isArray(node)) return node.map((item) => hoist(item, schemas))
  if (typeof node !== 'object' || node === null) return node
  const members = mapValues(node as Json, (value) => hoist(value, schemas))
  const { title, ...rest } = members
  if (typeof title !== 'string' || members.type !== 'object') return members
  schemas[title] ??= rest
  return { $ref: `#/components/schemas/${title}` }
}
