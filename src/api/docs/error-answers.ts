import { STATUS_CODES } from 'node:http'
import { ErrorSchema } from '../../contract/error.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'

type Json = Record<string, unknown>

export interface RouteKind {
  method: string
  keyless: boolean
  scoped: boolean
}

/** The codes that a route may answer with: its own, and those of every route of its kind. */
export function codesOf(own: readonly ErrorCode[], { method, keyless, scoped }: RouteKind): ErrorCode[] {
  const common: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error']
  if (!keyless) common.push('invalid_api_key', 'api_key_revoked', 'invalid_session')
  if (scoped) common.push('insufficient_scope')
  if (method !== 'GET') common.push('csrf_token_invalid', 'request_too_large')
  return [...new Set([...own, ...common])]
}

/** Each code under its usual status; `invalid_request` also under those the route refuses with. */
export function errorAnswers(codes: readonly ErrorCode[], refusals: readonly number[]): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  const put = (status: number, code: ErrorCode) => byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  for (const code of codes) put(ERRORS[code].statuses[0], code)
  for (const status of refusals) put(status, 'invalid_request')
  return Object.fromEntries([...byStatus].map(([status, names]) => [status, errorAnswer(status, names)]))
}

function errorAnswer(status: number, codes: readonly ErrorCode[]): Json {
  const pages = codes.map((code) => `[\`${code}\`](/docs/errors/${code})`).join(', ')
  const schema = { allOf: [DESCRIBED_ERROR, withCode(codes)] }
  return { description: `${STATUS_CODES[status]}: ${pages}`, content: { 'application/json': { schema } } }
}

/** The part of a schema by which programs know what an operation may be refused with. */
function withCode(codes: readonly ErrorCode[]): Json {
  const code = { type: 'string', enum: codes, description: 'Of this version: treat an unknown code as its `type`' }
  const error = { type: 'object', required: ['code'], properties: { code } }
  return { type: 'object', required: ['error'], properties: { error } }
}

/** Whether the same request may be sent again at once: what is true of every code under a status (see `again`). */
export function isRetryable(status: string): boolean {
  return status === '429' || status === '500'
}

const WHAT_TO_DO = `The body of every 4xx and 5xx. Branch on \`error.code\`, and treat a code that you do not know as its \`type\`.

| status | what happened | what the client does |
|---|---|---|
| 400, 404, 406, 413 | nothing was done: the request is wrong, or what it needs is not set up | corrects it; \`error.param\` names the field. It does not send the same request again |
| 401, 403 | nothing was done: the key is missing, unknown, revoked, or not allowed to do this | gets a key of the right mode and scope. Of earlier attempts of the same sale it says nothing |
| 409 | nothing was done: it clashes with what is stored | looks at what is stored (\`GET\`) |
| 429 | nothing was done | waits \`Retry-After\` seconds, then sends the same bytes with the same \`Idempotency-Key\` |
| 500, 503, no answer | unknown | waits \`Retry-After\` seconds if it is there, else 1 second, doubled each time to at most 30, and sends the same bytes with the same \`Idempotency-Key\` until there is an answer |

\`x-retryable\` of a response says whether the same request may be sent again at once. \`x-error-codes\` of \`code\` says it for each
code: \`again\` is \`yes\` (at once), \`later\` (once a cause outside of the request is removed: a refusal uses up no
\`Idempotency-Key\`) or \`no\`.`

function catalogue(): Json {
  const said = Object.entries(ERRORS).map(([code, { statuses, means, fix, again }]) => {
    return [code, { statuses, retryable: again === 'yes', again, means, fix }]
  })
  return Object.fromEntries(said)
}

const { error } = ErrorSchema.properties

/** The error body, with what clients do about it. */
const DESCRIBED_ERROR = {
  ...ErrorSchema,
  description: WHAT_TO_DO,
  properties: {
    error: {
      ...error,
      properties: { ...error.properties, code: { ...error.properties.code, 'x-error-codes': catalogue() } },
    },
  },
}
