import type { Answer } from '../../../support/call.ts'
import {
  codesIn,
  contentOf,
  judgeOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
  typeOf,
} from './document.ts'
import { written } from './mutations.ts'
import type { RandomRequest } from './random-request.ts'

export interface Judges {
  /** Lets nothing through that the document does not describe. */
  response: ReturnType<typeof judgeOf>
  request: ReturnType<typeof judgeOf>
}

export function judgesOf(document: OpenApi): Judges {
  return {
    response: judgeOf(document, { strict: true }),
    request: judgeOf(document, { strict: false }),
  }
}

const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ALWAYS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
/** Of JSON, and of receipts. */
const TYPES = [
  ...['application/json; charset=utf-8', 'text/plain; charset=utf-8', 'image/png', 'image/svg+xml'],
  ...['application/pdf', 'application/vnd.escpos', 'application/x-pem-file'],
]
const UPLOADS = ['importDevices', 'setLogo', 'uploadCertificate']

/** What is wrong with an answer by all that the document promises, and nothing when it is as it should be. */
export function verdictOn(
  operation: Operation,
  { draft, caller }: RandomRequest,
  { status, headers, body }: Answer,
  judges: Judges,
): string | undefined {
  const response = operation.responses[status]
  if (status >= 500) return `it failed with ${status}`
  if (!response) return `${status} is not documented`
  const problemOfId = idProblem(draft.headers['X-Request-Id']?.trim() ?? '', String(headers['x-request-id']))
  if (problemOfId) return problemOfId
  const uncounted = ALWAYS.find((name) => !/^\d+$/.test(String(headers[name])))
  if (uncounted) return `${uncounted} is ${headers[uncounted]}`
  if (!TYPES.includes(String(headers['content-type']))) return `it is ${headers['content-type']}`
  const problem = judges.response(contentOf(response, typeOf({ headers })), body)
  if (problem) return problem
  if (status >= 400) return refusalProblem(operation, response, caller.who, status, body)
  return admissionProblem(operation, draft, caller.who, judges)
}

/** What is sent comes back; our own stands in for nothing at all and for what is too long. */
function idProblem(sent: string, came: string): string | undefined {
  // How clients read letters that are not ASCII in a header is up to them.
  if (/[^\x20-\x7e]/.test(sent)) return undefined
  const isRight = sent === '' || sent.length > 200 ? OWN_ID.test(came) : came === sent
  return isRight ? undefined : `X-Request-Id is ${came}`
}

function refusalProblem(
  { operationId }: Operation,
  response: Operation['responses'][string],
  who: RandomRequest['caller']['who'],
  status: number,
  body: unknown,
): string | undefined {
  const { code, doc_url } = (body as { error: { code: string; doc_url: string } }).error
  if (!codesIn(response).includes(code)) return `${code} is not named with ${status}`
  if (!doc_url.endsWith(`/docs/errors/${code}`)) return `doc_url leads to ${doc_url}`
  if (status === 429 && !UPLOADS.includes(operationId)) return 'a limit that nobody reached'
  if (status === 401 && ['master', 'bound', 'narrow', 'live'].includes(who)) return 'a good key is refused'
  return undefined
}

/** What the document forbids must not have been taken. */
function admissionProblem(
  { operationId, parameters = [], requestBody, security }: Operation,
  draft: RandomRequest['draft'],
  who: RandomRequest['caller']['who'],
  { request }: Judges,
): string | undefined {
  const { query, headers } = draft
  const isKeyed = security?.length !== 0
  if (isKeyed && ['nobody', 'stranger', 'revoked'].includes(who)) return 'it was done for somebody without a key'
  for (const parameter of parameters.filter(({ in: place }) => place === 'query')) {
    const values = query.filter(([name]) => name === parameter.name).map(([, value]) => value)
    const [value] = values
    const problem = values.length === 1 && request(parameter.schema, readAs(parameter, String(value)))
    if (problem) return `${parameter.name} was taken: ${problem}`
  }
  const lacking = parameters.find(({ in: place, required, name }) => place === 'header' && required && !headers[name])
  if (lacking) return `${lacking.name} was not asked for`
  const schema: Schema | undefined = requestBody?.content['application/json']?.schema
  const problem = schema && request(schema, parsed(written(draft).body))
  return problem && `${operationId} took a body that the document forbids: ${problem}`
}

/** The value that a text in an address stands for. */
function readAs({ schema: { type } }: Parameter, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function parsed(bytes: Buffer | undefined): unknown {
  try {
    // A byte order mark is no part of the text.
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
