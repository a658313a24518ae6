import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { TSchema } from 'typebox'
import { Agent, request } from 'undici'
import type { Check } from '../wire/check.ts'
import { SYNC_BASE } from '../wire/messages.ts'
import { notReached, SyncFailure } from './failure.ts'

/** In the thread pool: the event loop belongs to the sales. */
const zip = promisify(gzip)

/** What is shorter gains nothing. */
const WORTH_ZIPPING = 1000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const CONNECT_MS = 10_000
const TIMEOUT_MS = 60_000

export interface Ask<T extends TSchema> {
  method: 'GET' | 'POST' | 'PUT'
  /** Below `/sync/v1`. */
  path: string
  headers?: Record<string, string>
  /** JSON that is ready to be sent, or bytes that go as they are. */
  body?: { json: string } | { bytes: Buffer }
  /** The answer must be JSON of this shape; nothing is read of it when there is none. */
  check?: Check<T>
  timeoutMs?: number
  signal?: AbortSignal
}

export interface TransportOptions {
  /** `https://host:port`. */
  url: string
  /** What the server's certificate must lead to, PEM; null for what the system trusts. */
  caPem: string | null
  /** False only to fetch the CA, which is compared then. */
  verify?: boolean
  /** Told how many bytes of a body go out, before they do. */
  onSending?: (bytes: number) => void
  /** Told what the server's clock shows, epoch milliseconds. */
  onDate?: (at: number) => void
  connectMs?: number
}

/** One server, over connections of its own that no proxy of the environment sees. */
export interface Transport {
  /** @throws SyncFailure */
  ask<T>(ask: Ask<TSchema>): Promise<T>
  /** The answer as text. @throws SyncFailure */
  text(ask: Ask<TSchema>): Promise<string>
  close(): Promise<void>
}

export function createTransport({
  url,
  caPem,
  verify = true,
  onSending = () => {},
  onDate = () => {},
  connectMs = CONNECT_MS,
}: TransportOptions): Transport {
  const base = url.replace(/\/+$/, '')
  const agent = new Agent({
    connections: 4,
    keepAliveTimeout: 30_000,
    // The callers' own limit covers the whole exchange; a long poll is silent for almost a minute.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: {
      ...(caPem !== null && { ca: caPem, allowPartialTrustChain: true }),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: verify,
      timeout: connectMs,
    },
  })

  async function exchange({ method, path, headers, body, timeoutMs = TIMEOUT_MS, signal }: Ask<TSchema>) {
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    const sent = await packed(body)
    if (sent) onSending(sent.bytes.length)
    const send = async () => {
      const answer = await request(`${base}${SYNC_BASE}${path}`, {
        dispatcher: agent,
        method,
        headers: { ...sent?.headers, ...headers },
        body: sent?.bytes ?? null,
        signal: limit,
      })
      const date = Date.parse(String(answer.headers.date))
      if (!Number.isNaN(date)) onDate(date)
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    }
    // Until a connection stands, undici notices only late that nobody waits any more.
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason), { once: true })
    })
    try {
      return await Promise.race([send(), late])
    } catch (error) {
      throw notReached(error, base, timeoutMs)
    }
  }

  async function text(ask: Ask<TSchema>): Promise<string> {
    const { status, headers, text: body } = await exchange(ask)
    if (status >= 200 && status < 300) return body
    throw refusalOf(status, String(headers['retry-after'] ?? ''), body, base)
  }

  return {
    text,
    async ask<T>(ask: Ask<TSchema>) {
      const body = await text(ask)
      if (!ask.check) return undefined as T
      const checked = ask.check(parsed(body))
      if ('value' in checked) return checked.value as T
      throw new SyncFailure('not_understood', `${base} does not answer as a fiskd server: ${checked.fault.message}`, {
        status: 200,
      })
    },
    close: () => agent.destroy(),
  }
}

async function packed(body: Ask<TSchema>['body']) {
  if (!body) return undefined
  if ('bytes' in body) return { bytes: body.bytes, headers: { 'content-type': 'application/octet-stream' } }
  const headers = { 'content-type': 'application/json' }
  if (body.json.length < WORTH_ZIPPING) return { bytes: Buffer.from(body.json), headers }
  return { bytes: await zip(body.json), headers: { ...headers, 'content-encoding': 'gzip' } }
}

function refusalOf(status: number, retryAfter: string, body: string, server: string): SyncFailure {
  const { code, message } = errorIn(parsed(body))
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
  const retryAfterMs = seconds === null ? null : seconds * 1000
  if (code !== undefined) return new SyncFailure(code, message ?? code, { status, retryAfterMs })
  const text =
    status === 404 ? 'there is no central server of fiskd at this address' : `it answered with HTTP ${status}`
  return new SyncFailure(`http_${status}`, `${server}: ${text}`, { status, retryAfterMs })
}

/** Somebody else's words: short, and nothing that a terminal obeys. */
function errorIn(body: unknown): { code?: string; message?: string } {
  const { code, message } = ((body as { error?: object } | null)?.error ?? {}) as Record<string, unknown>
  if (typeof code !== 'string' || !/^[a-z0-9_.]{1,60}$/.test(code)) return {}
  return { code, message: typeof message === 'string' ? message.replace(/\p{Cc}/gu, ' ').slice(0, 500) : code }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
