import { type TSchema, Type } from 'typebox'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { isRetryable } from './error-answers.ts'

type Json = Record<string, unknown>

const REQUEST_ID = Type.String({
  description: `Comes back in the response and stands in the log, if it has at most ${API_BOUNDS.requestId.most} characters`,
})
const CSRF_TOKEN = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'With a session only: the `csrf_token` that the sign-in returned',
})
const INCLUDE_MESSAGES = Type.Enum(['true', 'false'], { description: 'As the query parameter, which goes before it' })
const KNOWN_TAG = Type.String({
  pattern: '^[\\x20-\\x7e]*$',
  description: 'The `ETag` of an earlier answer: 304 while it is still the same',
})
const IDEMPOTENCY_KEY = Type.String({
  minLength: 1,
  maxLength: API_BOUNDS.idempotencyKey.most,
  description:
    'The same key with the same bytes is the same request for 24 hours; of an upload the boundary is one of the bytes. ' +
    'A UUID v4 is recommended.',
  examples: ['0b8f7f0e-4c1d-4f6e-9a54-2f6d3c1f9b10'],
})

export interface RequestKind {
  repeatable: boolean
  tagged: boolean
}

export function requestHeaders(method: string, url: string, { repeatable, tagged }: RequestKind) {
  const isPost = method === 'POST'
  const headers: Record<string, TSchema> = {
    'X-Request-Id': Type.Optional(REQUEST_ID),
    ...(method !== 'GET' && { 'X-CSRF-Token': Type.Optional(CSRF_TOKEN) }),
    ...(tagged && { 'If-None-Match': Type.Optional(KNOWN_TAG) }),
    ...(repeatable && { 'Idempotency-Key': Type.Optional(IDEMPOTENCY_KEY) }),
    ...(isPost && { 'Idempotency-Key': url === '/v1/invoices' ? IDEMPOTENCY_KEY : Type.Optional(IDEMPOTENCY_KEY) }),
    ...(isPost && url.startsWith('/v1/invoices') && { 'X-Include-Messages': Type.Optional(INCLUDE_MESSAGES) }),
  }
  return Type.Object(headers)
}

export const RESPONSE_HEADERS: Json = {
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

const ALWAYS = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Names the headers of each response of the paths of a document, and whether a refused request may be sent again. */
export function withResponseHeaders(paths: Json): Json {
  return mapValues(paths, (path) =>
    mapValues(path as Json, (operation) => {
      const { responses, ...rest } = operation as { responses: Json; parameters?: { name: string }[] }
      const takes = (name: string) => rest.parameters?.some((parameter) => parameter.name === name) === true
      const named = (status: string) => [
        ...ALWAYS,
        ...(isRetryable(status) ? ['Retry-After'] : []),
        ...(takes('If-None-Match') && ['200', '304'].includes(status) ? ['ETag'] : []),
        ...(takes('Idempotency-Key') && status.startsWith('2') ? ['Idempotent-Replayed'] : []),
      ]
      const headers = (status: string) =>
        Object.fromEntries(named(status).map((name) => [name, { $ref: `#/components/headers/${name}` }]))
      return {
        ...rest,
        responses: mapValues(responses, (response, status) => ({
          ...(response as Json),
          headers: headers(status),
          ...(Number(status) >= 400 && { 'x-retryable': isRetryable(status) }),
        })),
      }
    }),
  )
}

export function mapValues(object: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
