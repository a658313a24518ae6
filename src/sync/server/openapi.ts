import { STATUS_CODES } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import { IdentityRequest, IdentityResponse } from '../wire/identity.ts'
import {
  CommandResult,
  EnrollRequest,
  EnrollResponse,
  HelloRequest,
  HelloResponse,
  PollRequest,
  PollResponse,
  PushRequest,
  PushResponse,
  SkippedRequest,
  WireRecordSchema,
} from '../wire/messages.ts'
import { REFUSAL_CODES, ROW_SCHEMAS } from '../wire/records.ts'

type Json = Record<string, unknown>

const ABOUT = `How gateways of fiskd keep a central server up to date. Not for devices: they speak \`/v1\`.

A gateway enrols once with a token, says hello with each start, then pushes what has changed and asks for commands. Every
request after the enrolment carries \`Authorization: Bearer fisk_sync_...\` and \`Fiskd-Sync-Session\`, a UUID of its own for
every start. The numbers of an answer come with \`numbers_signature\`: Ed25519 by the server's key over
\`["fiskd receipt numbers 1", gateway_id, nonce, numbers]\`, with the \`nonce\` of the request, 32 random bytes in base64url, as JSON without
spaces, each number as the list of its members in their order. JSON is in snake case, moments are epoch milliseconds; bodies may come with \`Content-Encoding: gzip\`.

Each record of a push has the shape that is named after its \`kind\` among the schemas (\`row_company\`, \`row_invoice\` and so
on). A version is the place of the row's latest change in the outbox of its gateway: an older one changes nothing. A record
that cannot be taken is refused by itself, with one of these codes: ${REFUSAL_CODES.map((code) => `\`${code}\``).join(', ')}.`

interface Operation {
  operationId: string
  summary: string
  description: string
  body?: object
  answer?: TSchema
  errors?: ErrorCode[]
  more?: Json
  open?: true
  /** It names something that may not be there. */
  named?: true
}

const CREDENTIAL: ErrorCode[] = ['gateway_unknown', 'gateway_revoked', 'gateway_duplicated']
const SESSION: ErrorCode[] = [...CREDENTIAL, 'sync_session_replaced']

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Of the command' }

/** The row of a record has the shape that is named after its kind. */
const ROW = { anyOf: Object.keys(ROW_SCHEMAS).map((kind) => ({ $ref: `#/components/schemas/row_${kind}` })) }
const DESCRIBED_PUSH = {
  ...PushRequest,
  properties: {
    ...PushRequest.properties,
    records: {
      ...PushRequest.properties.records,
      items: { ...WireRecordSchema, properties: { ...WireRecordSchema.properties, row: ROW } },
    },
  },
}

const OPERATIONS: [method: string, path: string, operation: Operation][] = [
  [
    'get',
    '/sync/v1/ca',
    {
      operationId: 'getCa',
      summary: 'The CA of this server, PEM',
      description: 'What a gateway pins when it enrols, after it has compared the fingerprint in its token.',
      open: true,
    },
  ],
  [
    'post',
    '/sync/v1/enroll',
    {
      operationId: 'enroll',
      summary: 'Exchange a token for a credential',
      description: 'A token is good for one enrolment within 24 hours.',
      open: true,
      body: EnrollRequest,
      answer: EnrollResponse,
      errors: ['sync_token_invalid', 'premises_owned_by_gateway', 'sync_protocol_unsupported'],
    },
  ],
  [
    'post',
    '/sync/v1/hello',
    {
      operationId: 'hello',
      summary: 'Begin a session',
      description: 'The first request after each start; it ends the session before it.',
      body: HelloRequest,
      answer: HelloResponse,
      errors: [...SESSION, 'sync_protocol_unsupported'],
    },
  ],
  [
    'post',
    '/sync/v1/identity',
    {
      operationId: 'identity',
      summary: 'What this gateway was before: companies and devices for the machine that replaces it, page by page',
      description: 'Asked after the enrolment of the machine that takes the place of this gateway.',
      body: IdentityRequest,
      answer: IdentityResponse,
      errors: SESSION,
    },
  ],
  [
    'post',
    '/sync/v1/identity/numbers',
    {
      operationId: 'skipNumbers',
      summary: 'Tell where the receipt numbers of the machine that replaces this gateway go on, before it sells',
      description: 'A number that is lower than what is known, out of reach or of foreign premises changes nothing.',
      body: SkippedRequest,
      errors: SESSION,
    },
  ],
  [
    'post',
    '/sync/v1/push',
    {
      operationId: 'push',
      summary: 'Tell of rows that have changed',
      description: 'What is sent twice changes nothing. Each record is taken or refused by itself.',
      body: DESCRIBED_PUSH,
      answer: PushResponse,
      errors: SESSION,
    },
  ],
  [
    'post',
    '/sync/v1/poll',
    {
      operationId: 'poll',
      summary: 'Wait for commands',
      description: 'It is answered when there is a command, or after a while without one.',
      body: PollRequest,
      answer: PollResponse,
      errors: SESSION,
    },
  ],
  [
    'post',
    '/sync/v1/commands/{id}',
    {
      operationId: 'answerCommand',
      summary: 'Tell what became of a command',
      description: 'The same result may be told again.',
      body: CommandResult,
      errors: SESSION,
      more: { parameters: [ID] },
      named: true,
    },
  ],
  [
    'put',
    '/sync/v1/commands/{id}/attachment',
    {
      operationId: 'attachToCommand',
      summary: 'Send what a command brings back beside its result',
      description: 'One file, before the result is told.',
      errors: SESSION,
      named: true,
      more: {
        parameters: [ID, { name: 'name', in: 'query', required: true, schema: { type: 'string', maxLength: 100 } }],
        requestBody: {
          required: true,
          description: `At most ${SYNC_BOUNDS.file.most} bytes, before the result is told`,
          content: { 'application/octet-stream': { schema: {} } },
        },
      },
    },
  ],
  [
    'post',
    '/sync/v1/leave',
    {
      operationId: 'leave',
      summary: 'End the credential',
      description: 'The gateway goes on selling and has to enrol again to report.',
      errors: [...SESSION],
    },
  ],
]

/** `/sync/v1` as OpenAPI 3.1, made from the very schemas that requests are validated with. */
function syncDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [method, path, operation] of OPERATIONS) paths[path] = { ...paths[path], [method]: described(operation) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'fiskd sync',
      version,
      description: ABOUT,
      contact: { name: 'The fiskd authors' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [{ name: 'sync', description: 'From gateways to their central server' }],
    security: [{ credential: [] }],
    components: {
      securitySchemes: {
        credential: { type: 'http', scheme: 'bearer', description: 'Made by the gateway when it enrolled' },
      },
      schemas: {
        error: ERROR,
        ...Object.fromEntries(Object.entries(ROW_SCHEMAS).map(([kind, schema]) => [`row_${kind}`, schema])),
      },
    },
    paths,
  }
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'param', 'doc_url'],
      properties: {
        type: { type: 'string' },
        code: { type: 'string', description: 'Branch on it' },
        message: { type: 'string', description: 'For people' },
        doc_url: { type: 'string' },
        param: { type: ['string', 'null'] },
      },
    },
  },
}

const COMMON: ErrorCode[] = ['invalid_request', 'request_too_large', 'rate_limited', 'internal_error']

function described({
  operationId,
  summary,
  description,
  body,
  answer,
  errors = [],
  more,
  open,
  named,
}: Operation): Json {
  const success = answer
    ? { 200: { description: 'OK', content: json(answer) } }
    : operationId === 'getCa'
      ? { 200: { description: 'OK', content: { 'application/x-pem-file': { schema: { type: 'string' } } } } }
      : { 204: { description: 'No Content' } }
  return {
    operationId,
    summary,
    description,
    tags: ['sync'],
    ...(open && { security: [] }),
    ...(!open && { parameters: [SESSION_PARAMETER] }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    ...more,
    ...(more?.parameters !== undefined && { parameters: [SESSION_PARAMETER, ...(more.parameters as Json[])] }),
    responses: {
      ...success,
      ...refusals([...errors, ...COMMON]),
      ...refusals(['internal_error'], 503),
      ...(named && refusals(['invalid_request'], 404)),
    },
  }
}

const SESSION_PARAMETER = {
  name: 'Fiskd-Sync-Session',
  in: 'header',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  description: 'A UUID of its own for every start of the gateway',
}

const json = (schema: unknown) => ({ 'application/json': { schema } })

/** @param under the status that they come with; the usual one of each when left out */
function refusals(codes: ErrorCode[], under?: number): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = under ?? ERRORS[code].statuses[0]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const links = names.map((code) => `[\`${code}\`](/docs/errors/${code})`).join(', ')
      const content = json({ $ref: '#/components/schemas/error' })
      return [status, { description: `${STATUS_CODES[status]}: ${links}`, content }]
    }),
  )
}

/** `/docs/sync-openapi.json`. */
export const syncDocs: FastifyPluginAsync<{ version: string }> = async (app, { version }) => {
  app.get('/docs/sync-openapi.json', async () => syncDocument(version))
}
