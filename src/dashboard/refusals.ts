import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { FiskError, notFound } from '../domain/errors.ts'
import type { Role } from '../fiscal/ports/model.ts'
import { DatabaseAway } from '../fiscal/ports/store.ts'
import { refusalWhileAway } from '../fiscal/storage-refusals.ts'
import { textOfError } from './error-texts.ts'
import { newFormId } from './forms.ts'
import { languageOf } from './language.ts'
import { hasRole } from './page-routes.ts'
import { texts as signIn } from './sign-in/texts.ts'
import { texts } from './texts.ts'
import type { Views } from './views.ts'

type Failure = keyof (typeof texts)['hr']['failure']

/** Answers every error with a page in the reader's language; a form whose session has ended keeps what was typed. */
export function handleRefusals(app: FastifyInstance, views: Views): void {
  app.setErrorHandler(async (caught: FastifyError, request, reply) => {
    const error = toFiskError(caught)
    logFailure(request, error)
    if (error.code === 'invalid_session') {
      // A fragment that updates by itself gets the status alone: the page shows a notice of its own.
      if (request.headers['hx-request'] === 'true') return reply.status(401).send()
      if (request.method === 'GET') {
        return reply.redirect(`/dashboard/sign-in?next=${encodeURIComponent(request.url)}`, 303)
      }
    }
    if (error.retryAfterS !== null) reply.header('Retry-After', error.retryAfterS)
    if (triesAgain(error, request)) reply.header('Refresh', error.retryAfterS)
    reply.status(error.status).type('text/html; charset=utf-8')
    return reply.send(await refusalPage(views, error, request, String(reply.raw.getHeader('x-request-id') ?? '')))
  })
  app.setNotFoundHandler(async () => {
    throw notFound('path', 'there is no such page')
  })
}

export async function refusalPage(
  views: Views,
  error: FiskError,
  request: FastifyRequest,
  requestId = request.id,
): Promise<string> {
  const user = request.signedIn ?? null
  const language = user?.language ?? languageOf(request)
  const c = texts[language]
  const title = Object.hasOwn(c.failure, error.status) ? c.failure[error.status as unknown as Failure] : c.failure[500]
  const isPost = request.method === 'POST'
  const ended = error.code === 'invalid_session' && isPost
  const viewer = {
    request,
    user,
    csrfToken: '',
    formId: newFormId(),
    may: (role: Role) => user !== null && hasRole(user, role),
  }
  const it = {
    t: signIn[language],
    title,
    text: error.code === 'invalid_session' ? '' : textOfError(error, language),
    done: isPost
      ? error.status >= 500
        ? c.unknownDone
        : c.nothingDone
      : triesAgain(error, request)
        ? c.triesAgain
        : '',
    requestId: error.status >= 500 ? requestId : null,
    typed: ended ? JSON.stringify(typedOf(request.submitted ?? {})) : null,
    next: request.url,
    isGone: error.status === 404 && !isPost,
  }
  return views.page(ended ? 'sign-in/sign-in' : 'refusal', it, viewer)
}

/** What can be sent again after a sign-in; secrets are typed again. */
function typedOf(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !/^_(?!company)|pass(word|phrase)|secret|code/.test(name)),
  )
}

/** Browsers that are told to ask again do so with GET: what was to be changed would not be sent again. */
const triesAgain = (error: FiskError, { method }: FastifyRequest) =>
  error.reason === 'database_away' && method === 'GET'

function logFailure(request: FastifyRequest, error: FiskError): void {
  // Each request fails then, and the log has said why.
  if (error.cause instanceof DatabaseAway) request.log.warn(error.cause.message)
  else if (error.status >= 500) request.log.error({ err: error.cause ?? error }, error.message)
}

function toFiskError(error: FastifyError): FiskError {
  const away = refusalWhileAway(error, 503)
  if (away) return away
  if (error instanceof FiskError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new FiskError('request_too_large', 'the form is too large')
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new FiskError('invalid_request', 'the request is malformed', { param: 'form', cause: error })
  }
  return new FiskError('internal_error', 'something went wrong on our side', { cause: error })
}
