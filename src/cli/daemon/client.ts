import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Static, TSchema } from 'typebox'
import { ErrorSchema } from '../../contract/error.ts'
import { attempt } from '../../domain/attempt.ts'
import { broken, Failure, fixOf } from '../failure.ts'
import { isDown, unreachable } from './socket-failure.ts'

/**
 * The daemon behind its admin socket: `/v1` without an API key (the socket makes the caller the local operator) and
 * `/admin`. Every call gives the JSON of a 2xx answer, which fits its schema, or throws a `Failure`: with the daemon's
 * error body, with code `daemon_unreachable`, or one that names the field of the answer that is wrong. Nothing is
 * repeated.
 */
export interface Client {
  get<S extends TSchema>(path: string, schema: S, options?: Patience): Promise<Static<S>>
  /** @param body sent as JSON; none when left out */
  post<S extends TSchema>(path: string, schema: S, body?: unknown): Promise<Static<S>>
  patch<S extends TSchema>(path: string, schema: S, body: unknown): Promise<Static<S>>
  delete<S extends TSchema>(path: string, schema: S): Promise<Static<S>>
  /** @param method `POST` when left out */
  upload<S extends TSchema>(path: string, schema: S, form: FormData, method?: 'POST' | 'PUT'): Promise<Static<S>>
  /** The body of a 200 answer as it comes; reading it throws when the daemon breaks off. */
  download(path: string, options?: Patience): Promise<Download>
}

export interface Patience {
  silenceMs?: number
  signal?: AbortSignal | undefined
}

export interface Download {
  headers: IncomingHttpHeaders
  body: Readable
}

/** Longer than two attempts at the tax authority (9 s) and than a slow download of CA certificates. */
const SILENCE_TIMEOUT_MS = 60_000

/** @param tenant whom the operator works for; the daemon's own tenant when left out */
export function createClient(socketPath: string, tenant?: string): Client {
  async function call<S extends TSchema>(
    [method, path]: [string, string],
    schema: S,
    payload?: Payload,
    patience?: Patience,
  ): Promise<Static<S>> {
    const sending = { socketPath, tenant, payload, ...patience }
    // What checks the answer is loaded while the daemon makes it.
    const [answer, shape] = await Promise.all([exchange(method, path, sending), import('./shape.ts')])
    const { status, body } = await whole(answer, socketPath)
    if (status < 200 || status >= 300 || body === undefined) throw refusalOf(status, body, shape, socketPath)
    return shape.shaped(schema, body, `fiskd (${method} ${path.replace(/\?.*/, '')})`)
  }
  return {
    get: (path, schema, patience) => call(['GET', path], schema, undefined, patience),
    post: (path, schema, body) => call(['POST', path], schema, body === undefined ? undefined : json(body)),
    patch: (path, schema, body) => call(['PATCH', path], schema, json(body)),
    delete: (path, schema) => call(['DELETE', path], schema),
    upload: async (path, schema, form, method = 'POST') => call([method, path], schema, await multipart(form)),
    async download(path, patience) {
      const accept = 'application/octet-stream'
      const answer = await exchange('GET', path, { socketPath, tenant, accept, ...patience })
      if (answer.statusCode === 200) return { headers: answer.headers, body: answer }
      const { status, body } = await whole(answer, socketPath)
      throw refusalOf(status, body, await import('./shape.ts'), socketPath)
    },
  }
}

const json = (body: unknown) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })
type Payload = ReturnType<typeof json>

async function multipart(form: FormData): Promise<Payload> {
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') ?? 'multipart/form-data',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  }
}

interface Sending extends Patience {
  socketPath: string
  tenant: string | undefined
  payload?: Payload | undefined
  accept?: string
}

function exchange(method: string, path: string, sending: Sending): Promise<IncomingMessage> {
  const { socketPath, tenant, payload, accept = 'application/json', signal } = sending
  return new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = { host: 'localhost', accept }
    if (tenant !== undefined) headers['x-tenant'] = tenant
    if (payload) headers['content-type'] = payload.type
    if (payload || method !== 'GET') headers['content-length'] = payload?.bytes.length ?? 0
    // Without an agent the connection ends with the answer, and so does the process.
    const sent = request({ socketPath, method, path, headers, agent: false, ...(signal && { signal }) }, resolve)
    sent.setTimeout(sending.silenceMs ?? SILENCE_TIMEOUT_MS, () =>
      sent.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    )
    sent.on('error', (error) => reject(unreachable(socketPath, error)))
    sent.end(payload?.bytes)
  })
}

/** `body` is undefined for what is no JSON. */
async function whole(answer: IncomingMessage, socketPath: string): Promise<{ status: number; body: unknown }> {
  const bytes = await buffer(answer).catch((error: NodeJS.ErrnoException) => {
    throw unreachable(socketPath, error)
  })
  return { status: answer.statusCode ?? 0, body: attempt(() => JSON.parse(bytes.toString('utf8')), undefined) }
}

function refusalOf(status: number, body: unknown, shape: typeof import('./shape.ts'), socketPath: string): Failure {
  if (shape.fits(ErrorSchema, body)) return new Failure(body, 1, fixOf(body.error.code))
  const { field, demand } = shape.misfitOf(ErrorSchema, body)
  return broken(
    'daemon_unreachable',
    `What listens on ${socketPath} answered ${status} in a form that fiskd does not use${field && `: ${field} ${demand}`}.`,
    'Check that the socket belongs to fiskd and that fiskd and fisk are of the same version.',
  )
}

/** Tells whether any daemon listens on the socket; one that may not be opened counts as running. */
export async function isRunning(socketPath: string): Promise<boolean> {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(!isDown(error.code)))
  })
}
