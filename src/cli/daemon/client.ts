import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { broken, type ErrorBody, Failure, fixOf } from '../failure.ts'

/**
 * The daemon behind its admin socket: `/v1` without an API key (the socket makes the caller the local operator) and
 * `/admin`. Every call gives the JSON of a 2xx answer, or throws a `Failure` with the daemon's error body, or one
 * with code `daemon_unreachable`. Nothing is repeated.
 */
export interface Client {
  get<T>(path: string, options?: Patience): Promise<T>
  /** @param body sent as JSON; none when left out */
  post<T>(path: string, body?: unknown): Promise<T>
  patch<T>(path: string, body: unknown): Promise<T>
  delete<T>(path: string): Promise<T>
  upload<T>(path: string, form: FormData): Promise<T>
  /** The body of a 200 answer as it comes; reading it throws when the daemon breaks off. */
  download(path: string, options?: Patience): Promise<Download>
}

export interface Patience {
  /** How long the daemon may say nothing. */
  silenceMs?: number
  /** Breaks the request off. */
  signal?: AbortSignal | undefined
}

export interface Download {
  headers: IncomingHttpHeaders
  body: Readable
}

interface Payload {
  type: string
  bytes: Buffer
}

interface Answer {
  status: number
  text: string
}

/** Longer than two attempts at the tax authority (9 s) and than a slow download of CA certificates. */
const SILENCE_TIMEOUT_MS = 60_000

/** @param tenant whom the operator works for; the daemon's own tenant when left out */
export function createClient(socketPath: string, tenant?: string): Client {
  const target = { socketPath, tenant }
  const call = async <T>(method: string, path: string, payload?: Payload, patience?: Patience): Promise<T> =>
    read<T>(await whole(await exchange(target, method, path, { payload, ...patience }), socketPath), socketPath)
  return {
    get: (path, patience) => call('GET', path, undefined, patience),
    post: (path, body) => call('POST', path, body === undefined ? undefined : json(body)),
    patch: (path, body) => call('PATCH', path, json(body)),
    delete: (path) => call('DELETE', path),
    upload: async (path, form) => call('POST', path, await multipart(form)),
    async download(path, patience) {
      const answer = await exchange(target, 'GET', path, { ...patience, accept: 'application/octet-stream' })
      if (answer.statusCode !== 200) return read<never>(await whole(answer, socketPath), socketPath)
      return { headers: answer.headers, body: answer }
    },
  }
}

function json(body: unknown): Payload {
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body), 'utf8') }
}

async function multipart(form: FormData): Promise<Payload> {
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') ?? 'multipart/form-data',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  }
}

interface Target {
  socketPath: string
  tenant: string | undefined
}

interface Sending extends Patience {
  payload?: Payload | undefined
  accept?: string
}

/** Sends a request and waits for the head of its answer. */
function exchange(target: Target, method: string, path: string, sending: Sending): Promise<IncomingMessage> {
  const { socketPath, tenant } = target
  const { payload, accept = 'application/json', silenceMs = SILENCE_TIMEOUT_MS, signal } = sending
  return new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = { host: 'localhost', accept }
    if (tenant !== undefined) headers['x-tenant'] = tenant
    if (payload) headers['content-type'] = payload.type
    if (payload || method !== 'GET') headers['content-length'] = payload?.bytes.length ?? 0
    // Without an agent the connection ends with the answer, and so does the process.
    const sent = request({ socketPath, method, path, headers, agent: false, ...(signal && { signal }) }, resolve)
    sent.setTimeout(silenceMs, () => sent.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    sent.on('error', (error) => reject(unreachable(socketPath, error)))
    sent.end(payload?.bytes)
  })
}

async function whole(answer: IncomingMessage, socketPath: string): Promise<Answer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk)
  } catch (error) {
    throw unreachable(socketPath, error as NodeJS.ErrnoException)
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}

function read<T>({ status, text }: Answer, socketPath: string): T {
  const body = parse(text)
  if (status >= 200 && status < 300 && body !== undefined) return body as T
  if (isErrorBody(body)) throw new Failure(body, 1, fixOf(body.error.code))
  throw broken(
    'daemon_unreachable',
    `What listens on ${socketPath} answered ${status} in a form that fiskd does not use.`,
    'Check that the socket belongs to fiskd and that fiskd and fisk are of the same version.',
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error
}

const ANOTHER_SOCKET = 'If it listens on another socket, name it with --socket or FISKD_SOCKET.'

function unreachable(socketPath: string, error: NodeJS.ErrnoException): Failure {
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    return broken(
      'daemon_unreachable',
      `You may not open the socket of the daemon, ${socketPath}.`,
      'Use sudo, or ask to be put into the group that owns the socket.',
    )
  }
  if (error.code === 'ETIMEDOUT' || error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    return broken(
      'daemon_unreachable',
      `The daemon on ${socketPath} took the request and gave no answer.`,
      'Look at its log (journalctl -u fiskd) and start it again: systemctl restart fiskd',
    )
  }
  if (isDown(error.code)) {
    return broken(
      'daemon_unreachable',
      `No daemon answers on ${socketPath}.`,
      `Start it with: fiskd (or: systemctl start fiskd). ${ANOTHER_SOCKET}`,
    )
  }
  return broken('daemon_unreachable', `${socketPath} cannot be used: ${error.message}`, ANOTHER_SOCKET)
}

function isDown(code: string | undefined): boolean {
  return code === 'ENOENT' || code === 'ECONNREFUSED'
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
