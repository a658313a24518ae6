import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Static, TSchema } from 'typebox'
import { Agent, request } from 'undici'
import { attempt } from '../../domain/attempt.ts'
import { withoutControls } from '../../domain/control-characters.ts'
import { SYNC_ANSWER_BOUNDS } from '../wire/bounds.ts'
import type { Check } from '../wire/check-value.ts'
import { SYNC_BASE } from '../wire/messages.ts'
import { notReached, SyncFailure } from './failure.ts'

/** In the thread pool: the event loop belongs to the sales. */
const zip = promisify(gzip)

/** What is shorter gains nothing. */
const WORTH_ZIPPING = 1000
const RETRY_AFTER = new RegExp(`^\\d{1,${SYNC_ANSWER_BOUNDS.retryAfter.most}}$`)
const ERROR_CODE = new RegExp(`^[a-z0-9_.]{1,${SYNC_ANSWER_BOUNDS.errorCode.most}}$`)
const CONNECT_MS = 10_000
const TIMEOUT_MS = 60_000

export interface Ask {
  /** `POST` when left out. */
  method?: 'GET' | 'POST' | 'PUT'
  /** Below `/sync/v1`. */
  path: string
  headers?: Record<string, string>
  /** JSON that is ready to be sent, or bytes that go as they are. */
  body?: { json: string } | { bytes: Buffer }
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

export type Transport = ReturnType<typeof createTransport>

/** Connections to one server, which ignore the proxy variables of the environment. */
export function createTransport({
  url,
  caPem,
  verify = true,
  onSending = () => {},
  onDate = () => {},
  connectMs = CONNECT_MS,
}: TransportOptions) {
  const base = url.replace(/\/+$/, '')
  const agent = new Agent({
    connections: 4,
    keepAliveTimeout: 30_000,
    // The callers' own limit covers the whole exchange; a long poll is silent for almost a minute.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: SYNC_ANSWER_BOUNDS.answer.most,
    connect: {
      ...(caPem !== null && { ca: caPem, allowPartialTrustChain: true }),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: verify,
      timeout: connectMs,
    },
  })

  async function exchange({ method = 'POST', path, headers, body, timeoutMs = TIMEOUT_MS, signal }: Ask) {
    // A controller of its own, let go with the exchange: what `AbortSignal.timeout` and `any` hold, they hold to their time.
    const over = new AbortController()
    const limit = over.signal
    const timer = setTimeout(() => over.abort(new DOMException('no answer in time', 'TimeoutError')), timeoutMs)
    const leave = () => over.abort(signal?.reason)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
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
    // While it connects, undici reacts late to an abort.
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason), { once: true })
    })
    try {
      return await Promise.race([send(), late])
    } catch (error) {
      throw notReached(error, base, timeoutMs)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Returns the answer as text, without a check of its shape. @throws SyncFailure */
  async function text(ask: Ask): Promise<string> {
    const { status, headers, text: body } = await exchange(ask)
    if (status >= 200 && status < 300) return body
    throw refusalOf(status, String(headers['retry-after'] ?? ''), body, base)
  }

  return {
    text,
    /** @throws SyncFailure, also for an answer of another shape */
    async ask<T extends TSchema>({ check, ...ask }: Ask & { check: Check<T> }): Promise<Static<T>> {
      const checked = check(parsed(await text(ask)))
      if ('value' in checked) return checked.value
      throw new SyncFailure('not_understood', `${base} does not answer as a fiskd server: ${checked.fault.message}`, {
        status: 200,
      })
    },
    close: () => agent.destroy(),
  }
}

async function packed(body: Ask['body']) {
  if (!body) return undefined
  if ('bytes' in body) return { bytes: body.bytes, headers: { 'content-type': 'application/octet-stream' } }
  const headers = { 'content-type': 'application/json' }
  if (body.json.length < WORTH_ZIPPING) return { bytes: Buffer.from(body.json), headers }
  return { bytes: await zip(body.json), headers: { ...headers, 'content-encoding': 'gzip' } }
}

function refusalOf(status: number, retryAfter: string, body: string, server: string): SyncFailure {
  const { code, message } = errorIn(parsed(body))
  const seconds = RETRY_AFTER.test(retryAfter) ? Number(retryAfter) : null
  const retryAfterMs = seconds === null ? null : seconds * 1000
  if (code !== undefined) return new SyncFailure(code, message ?? code, { status, retryAfterMs })
  const text =
    status === 404 ? 'there is no central server of fiskd at this address' : `it answered with HTTP ${status}`
  return new SyncFailure(`http_${status}`, `${server}: ${text}`, { status, retryAfterMs })
}

/** The error in a foreign body, shortened and without control characters. */
function errorIn(body: unknown): { code?: string; message?: string } {
  const { code, message } = ((body as { error?: object } | null)?.error ?? {}) as Record<string, unknown>
  if (typeof code !== 'string' || !ERROR_CODE.test(code)) return {}
  return {
    code,
    message:
      typeof message === 'string' ? withoutControls(message).slice(0, SYNC_ANSWER_BOUNDS.errorMessage.most) : code,
  }
}

const parsed = (text: string): unknown => attempt(() => JSON.parse(text), undefined)
