import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FiskError, invalidRequest, notFound } from '../domain/errors.ts'
import { DatabaseAway } from '../fiscal/ports/store.ts'
import { refusalByDisk, refusalWhileAway } from '../fiscal/storage-refusals.ts'
import type { Count } from './rate-limits.ts'
import { refusalOf } from './validation.ts'
import { wrongType } from './wrong-requests.ts'

/** Base address of the error pages; its port is known only once the server listens. */
export type DocsUrl = () => string

/** The one error handler: every 4xx and 5xx has the body of docs/spec/interface.md, Errors, and never a stack trace. */
export function handleErrors(app: FastifyInstance, docsUrl: DocsUrl): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(toFiskError(error, request), docsUrl, request, reply),
  )
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    const why = isPreflight ? NO_CORS : `there is no ${request.method} ${path}`
    return refuse(notFound('path', why), docsUrl, request, reply)
  })
}

const NO_CORS =
  'fiskd answers no page of another origin (CORS is off): a program on the machine posts the sale, not the page'

/** Addresses that the router itself cannot read, before any hook has run: they count like all others. */
export function refuseAddress(docsUrl: DocsUrl, count: Count) {
  return async (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('X-Request-Id', request.id)
    const malformed = invalidRequest('path', 'this address is malformed')
    await refuse(tooMany(count, request, reply) ?? malformed, docsUrl, request, reply)
  }
}

function tooMany(count: Count, request: FastifyRequest, reply: FastifyReply): FiskError | undefined {
  try {
    count(request, reply)
    return undefined
  } catch (error) {
    return error instanceof FiskError ? error : undefined
  }
}

async function refuse(error: FiskError, docsUrl: DocsUrl, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Each request fails then, and the log has said why.
  if (error.cause instanceof DatabaseAway) request.log.warn(error.cause.message)
  else if (error.status >= 500) request.log.error({ err: error.cause ?? error }, error.message)
  if (error.retryAfterS !== null) reply.header('Retry-After', error.retryAfterS)
  await reply.status(error.status).send(errorBody(error, docsUrl()))
}

export function errorBody(error: FiskError, docsUrl: string) {
  const { type, code, message, param } = error
  return { error: { type, code, message, param, upstream: null, doc_url: `${docsUrl}/errors/${code}` } }
}

const brokenOff = () => invalidRequest('body', 'the connection was closed before the body was complete')

/** What fastify and its parsers refuse by themselves, in words of the catalogue. */
const REFUSALS: Record<string, (request: FastifyRequest) => FiskError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new FiskError('request_too_large', 'the body is too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wrongType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalidRequest('Content-Length', 'the body is not as long as announced'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: wrongType,
  ERR_STREAM_PREMATURE_CLOSE: brokenOff,
  FST_MP_PREMATURE_CLOSE: brokenOff,
  FST_PROTO_VIOLATION: () => invalidRequest('body', 'a part has a name that is not allowed'),
  FST_INVALID_JSON_FIELD_ERROR: () => invalidRequest('body', 'a part that calls itself JSON is none'),
  FST_FILES_LIMIT: () => invalidRequest('file', 'send one file'),
  FST_PARTS_LIMIT: () => invalidRequest('body', 'there are too many parts'),
  FST_FIELDS_LIMIT: () => invalidRequest('body', 'there are too many parts'),
}

function toFiskError(error: FastifyError, request: FastifyRequest): FiskError {
  const away = refusalWhileAway(error, request.routeOptions.url?.startsWith('/v1/') ? 500 : 503)
  if (away) return away
  if (error instanceof FiskError) return error
  if (error.validation) return refusalOf(error.validation, error.validationContext ?? 'body')
  // Other connections break as well, such as those to a database.
  if (error.code === 'ECONNRESET' && request.raw.destroyed && !request.raw.complete) return brokenOff()
  const refusal = REFUSALS[error.code]
  if (refusal) return refusal(request)
  if (error.statusCode !== undefined && error.statusCode < 500) {
    // The text of the error may repeat parts of the request.
    request.log.info({ code: error.code, status: error.statusCode }, 'refused')
    return new FiskError('invalid_request', 'the request is malformed', { cause: error })
  }
  const byDisk = refusalByDisk(error)
  if (byDisk) return byDisk
  return new FiskError('internal_error', 'something went wrong on our side', { cause: error })
}
