import { Agent, type Dispatcher, request } from 'undici'
import { invalidRequest } from '../domain/errors.ts'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import { type Failure, failureText } from './network-failure.ts'

/** An answer larger than this is not read to its end: a real one has some thousand bytes. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Idle connections are given up early, before the service closes them under a sale that is being sent. */
const KEEP_ALIVE_MS = 2000

export type Reply =
  | {
      arrived: true
      status: number
      body: Buffer
      /** Its end was announced, so a cut is noticed. */
      framed: boolean
      /** What the service's clock showed, cut to the second; null when it did not say. */
      date: EpochMs | null
    }
  | { arrived: false; status: number | null; reason: string }

/** Carries messages to the tax authority over TLS 1.2 or newer, believing only the mode's own trust bundle. */
export interface Transport {
  /**
   * Posts a body and reads the whole answer, all within the time limit. Never throws: whatever goes wrong on the way is
   * a reply that has not arrived. Nothing is sent while the mode has no bundle. Redirects are not followed.
   */
  post(mode: Mode, headers: Record<string, string>, body: string): Promise<Reply>
  /** Opens new connections from now on, under the bundle as it is then; messages on their way keep theirs. */
  reload(mode: Mode): void
  close(): Promise<void>
}

export interface TransportOptions {
  urls: Record<Mode, string>
  /** The mode's CA certificates as PEM, empty when none is installed. */
  bundle: (mode: Mode) => string
  timeoutMs: number
  /** Told the `Date` of every answer, epoch milliseconds. */
  onDate?: ((at: number) => void) | undefined
}

/** @throws FiskError `invalid_request` when an address is not `https:` */
export function createTransport({ urls, bundle, timeoutMs, onDate }: TransportOptions): Transport {
  for (const mode of ['test', 'live'] as const) checkUrl(mode, urls[mode])
  const agents = new Map<Mode, Agent>()
  const retired = new Set<Promise<void>>()

  function agentOf(mode: Mode): Agent | undefined {
    const known = agents.get(mode)
    if (known) return known
    const ca = bundle(mode)
    if (ca === '') return undefined
    const agent = newAgent(ca, timeoutMs)
    agents.set(mode, agent)
    return agent
  }

  function retire(mode: Mode): void {
    const agent = agents.get(mode)
    if (!agent) return
    agents.delete(mode)
    const closing = agent.close().finally(() => retired.delete(closing))
    retired.add(closing)
  }

  return {
    async post(mode, headers, body) {
      const dispatcher = agentOf(mode)
      if (!dispatcher) return { arrived: false, status: null, reason: noBundle(mode) }
      return exchange(urls[mode], { dispatcher, headers, body, timeoutMs, onDate })
    },
    reload: retire,
    async close() {
      for (const mode of [...agents.keys()]) retire(mode)
      await Promise.all(retired)
    },
  }
}

function newAgent(ca: string, timeoutMs: number): Agent {
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_ANSWER_BYTES,
    // `ca` replaces the runtime's public authorities: the service's own are private (spec/cis.md, Endpoints).
    connect: { ca, minVersion: 'TLSv1.2', rejectUnauthorized: true, timeout: timeoutMs },
  })
}

interface Sending {
  dispatcher: Dispatcher
  headers: Record<string, string>
  body: string
  timeoutMs: number
  onDate: TransportOptions['onDate']
}

async function exchange(url: string, { dispatcher, headers, body, timeoutMs, onDate }: Sending): Promise<Reply> {
  // Each of the agent's own limits covers one phase; this one covers the exchange from connecting to the last byte.
  const limit = new AbortController()
  const { signal } = limit
  let status: number | null = null
  const failed = (error: Failure): Reply => ({ arrived: false, status, reason: failureText(error, timeoutMs) })

  async function send(): Promise<Reply> {
    try {
      const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal })
      status = answer.statusCode
      const date = Date.parse(String(answer.headers.date))
      const isDate = !Number.isNaN(date)
      if (isDate) onDate?.(date)
      const framed = answer.headers['content-length'] !== undefined || answer.headers['transfer-encoding'] !== undefined
      return {
        arrived: true,
        status,
        body: Buffer.from(await answer.body.arrayBuffer()),
        framed,
        date: isDate ? date : null,
      }
    } catch (error) {
      return failed(error as Failure)
    }
  }

  // Until the connection stands, undici notices the signal only when connecting ends, up to a second after the limit;
  // nothing is sent then any more, so nobody needs to wait for it.
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => {
      const error = Object.assign(new Error('the exchange took too long'), { code: 'ETIMEDOUT' })
      limit.abort(error)
      resolve(failed(error))
    }, timeoutMs)
  })
  try {
    return await Promise.race([send(), late])
  } finally {
    // With `AbortSignal.timeout` all of an exchange would be kept until then, of hundreds of sales when many sell.
    clearTimeout(timer)
  }
}

function checkUrl(mode: Mode, url: string): void {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return
  throw invalidRequest(`urls.${mode}`, `the ${mode} address of the tax authority must begin with https://`)
}

function noBundle(mode: Mode): string {
  return `no trust bundle is installed for ${mode} mode: run \`fisk trust fetch --mode ${mode}\``
}
