import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { ErrorSchema } from '../../contract/error.ts'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { documented } from '../../contract/v1/formats.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'

type Json = Record<string, unknown>

const ABOUT = `fiskd reports the sales of self-service machines to the Croatian tax authority.

Post a sale to \`/v1/invoices\` with an \`Idempotency-Key\`. HTTP 200 is a valid sale: print the receipt, whether there is a
JIR or not. A 4xx was not fiscalized: correct the request. After a 429, a 5xx or no answer, send the same bytes with the same
key again. The prefix of the API key (\`fisk_test_\`, \`fisk_live_\`) alone decides which service of the tax authority is used.

\`/usr/share/doc/fiskd/docs/firmware.md\` on the machine explains how firmware connects, posts, repeats and prints.`

const TAGS = [
  { name: 'invoices', description: 'Sales and what became of them' },
  { name: 'companies', description: 'Fiscal identities' },
  { name: 'devices', description: 'Self-service machines' },
  { name: 'certificates', description: 'What companies sign with' },
  { name: 'service', description: 'Countries and health' },
]

/** How the OpenAPI document is made from the very schemas that requests are validated with. */
export function documentOptions(version: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'fiskd', version, description: ABOUT },
      servers: [{ url: '/', description: 'This daemon' }],
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
      const hoisted = hoist(documented(withHeaders(paths as Json)), schemas)
      return { ...rest, components: { ...(components as Json), headers: HEADERS, schemas }, paths: hoisted } as never
    },
  }
}

/** `/v1`, and the CA that a client needs before it can ask anything of `/v1`. */
export const isDocumented = (url: string) => url.startsWith('/v1/') || url === '/ca.pem'

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
    ...(form && { body: form, consumes: ['multipart/form-data'] }),
    ...(scope && { description: [schema.description, `Scope: \`${scope}\`.`].filter(Boolean).join(' ') }),
    headers: Type.Object(headersOf(String(method), url, { repeatable, tagged })),
    ...(keyless && { security: [] }),
    response: { ...errorAnswers(codes, refusals), ...(tagged && UNCHANGED), ...answers },
  } as FastifySchema
}

const UNCHANGED: Json = { 304: { type: 'null', description: 'It is still the same' } }

interface Route {
  method: string
  keyless: boolean
  scoped: boolean
}

function codesOf(own: readonly ErrorCode[], { method, keyless, scoped }: Route): ErrorCode[] {
  const common: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error']
  if (!keyless) common.push('invalid_api_key', 'api_key_revoked', 'invalid_session')
  if (scoped) common.push('insufficient_scope')
  if (method !== 'GET') common.push('csrf_token_invalid', 'request_too_large')
  return [...new Set([...own, ...common])]
}

/** Each code under its usual status; `invalid_request` also under those the route refuses with. */
function errorAnswers(codes: readonly ErrorCode[], refusals: readonly number[]): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  const put = (status: number, code: ErrorCode) => byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  for (const code of codes) put(ERRORS[code].statuses[0], code)
  for (const status of refusals) put(status, 'invalid_request')
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const description = names.map((name) => `[\`${name}\`](/docs/errors/${name})`).join(', ')
      return [status, json(description, ErrorSchema)]
    }),
  )
}

/** A schema is of JSON; other content types are said by the route. */
function success(description: string, answer: object): Json {
  return 'content' in answer ? { description, ...answer } : json(description, answer)
}

function json(description: string, schema: unknown): Json {
  return { description, content: { 'application/json': { schema } } }
}

const REQUEST_ID = Type.String({
  description: `Comes back in the response and stands in the log, if it has at most ${API_BOUNDS.requestId.most} characters`,
})
const CSRF_TOKEN = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'With a session only: the `csrf_token` that the sign-in returned',
})
const INCLUDE_MESSAGES = Type.Enum(['true', 'false'], { description: 'As the query parameter, which goes before it' })
const KNOWN_TAG = Type.String({ description: 'The `ETag` of an earlier answer: 304 while it is still the same' })
const IDEMPOTENCY_KEY = Type.String({
  minLength: 1,
  maxLength: API_BOUNDS.idempotencyKey.most,
  description:
    'The same key with the same bytes is the same request for 24 hours; of an upload the boundary is one of the bytes. ' +
    'A UUID v4 is recommended.',
})

interface Kind {
  repeatable: boolean
  tagged: boolean
}

function headersOf(method: string, url: string, { repeatable, tagged }: Kind): Record<string, TSchema> {
  const isPost = method === 'POST'
  return {
    'X-Request-Id': Type.Optional(REQUEST_ID),
    ...(method !== 'GET' && { 'X-CSRF-Token': Type.Optional(CSRF_TOKEN) }),
    ...(tagged && { 'If-None-Match': Type.Optional(KNOWN_TAG) }),
    ...(repeatable && { 'Idempotency-Key': Type.Optional(IDEMPOTENCY_KEY) }),
    ...(isPost && { 'Idempotency-Key': url === '/v1/invoices' ? IDEMPOTENCY_KEY : Type.Optional(IDEMPOTENCY_KEY) }),
    ...(isPost && url.startsWith('/v1/invoices') && { 'X-Include-Messages': Type.Optional(INCLUDE_MESSAGES) }),
  }
}

/** The headers of every response, by name. */
const HEADERS: Json = {
  'X-Request-Id': header('string', 'As sent, or made by the service'),
  'RateLimit-Limit': header('integer', 'Requests permitted in the window'),
  'RateLimit-Remaining': header('integer', 'Requests left in the window'),
  'RateLimit-Reset': header('integer', 'Seconds until the window ends'),
  'Retry-After': header('integer', 'Seconds to wait; with 500 only while the database cannot be reached'),
  ETag: header('string', 'Changes with the content'),
  'Idempotent-Replayed': header('string', '`true` when this is an earlier response to the same idempotency key'),
}

function header(type: string, description: string) {
  return { description, schema: { type } }
}

function withHeaders(paths: Json): Json {
  const always = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  return mapValues(paths, (path) =>
    mapValues(path as Json, (operation) => {
      const { responses, ...rest } = operation as { responses: Json; parameters?: { name: string }[] }
      const isRepeatable = rest.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
      const isTagged = rest.parameters?.some(({ name }) => name === 'If-None-Match') === true
      const named = (status: string) => [
        ...always,
        ...(status === '429' || status === '500' ? ['Retry-After'] : []),
        ...(isTagged && ['200', '304'].includes(status) ? ['ETag'] : []),
        ...(isRepeatable && status.startsWith('2') ? ['Idempotent-Replayed'] : []),
      ]
      const headers = (status: string) =>
        Object.fromEntries(named(status).map((name) => [name, { $ref: `#/components/headers/${name}` }]))
      return {
        ...rest,
        responses: mapValues(responses, (response, status) => ({ ...(response as Json), headers: headers(status) })),
      }
    }),
  )
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

function mapValues(object: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
