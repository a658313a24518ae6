import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Agent, RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { type Both, MODE_HR } from '../../domain/texts/both.ts'
import { CIS_BOUNDS } from '../bounds.ts'
import { connectionNumber, createConnections, createRequestAhead, type Validity, validityShown } from './connections.ts'
import { type Failure, failureText } from './network-failure.ts'
import type { HttpProxy } from './proxy.ts'
import { unpacked } from './unpack.ts'

export type Reply =
  | {
      arrived: true
      status: number
      body: Buffer
      /** True when the length of the body is known, so that a truncation is noticed. */
      framed: boolean
      /** Cut to the second; null when it is missing, or outside of the validity of the server's certificate. */
      date: EpochMs | null
      /** Equal for answers of one connection. */
      connection?: number
    }
  | { arrived: false; status: number | null; reason: Both }

export interface TransportOptions {
  urls: Record<Mode, string>
  /** The mode's CA certificates as PEM, empty when none is installed. */
  bundle: (mode: Mode) => string
  timeoutMs: number
  /** Null to reach the service directly. */
  proxy?: HttpProxy | null
  /** The `User-Agent` header, for the service's log. */
  userAgent?: string
}

/** Requests an uncompressed answer, exactly as it was signed. A proxy may compress it all the same (`unpacked`). */
const ACCEPTED = { accept: 'text/xml', 'accept-encoding': 'identity' }

interface Line {
  target: Target
  connections: Agent
  ahead: ReturnType<typeof createRequestAhead>
  exchanges: Set<Promise<Reply>>
}

export type Transport = ReturnType<typeof createTransport>

/** Trusts only the mode's own bundle, over TLS 1.2 or newer. @throws FiskError when an address is not `https:` */
export function createTransport(options: TransportOptions) {
  const { urls, bundle, timeoutMs, proxy = null, userAgent = 'fiskd' } = options
  const common = { ...ACCEPTED, 'user-agent': userAgent }
  const flattened = new WeakMap<object, string[]>()
  for (const mode of MODES) {
    if (URL.canParse(urls[mode]) && new URL(urls[mode]).protocol === 'https:') continue
    throw invalidRequest(`urls.${mode}`, `the ${mode} address of the tax authority must begin with https://`)
  }
  const lines = new Map<Mode, Line>()
  const retired = new Set<Promise<void>>()

  function lineOf(mode: Mode): Line | undefined {
    const known = lines.get(mode)
    if (known) return known
    const ca = bundle(mode)
    if (ca === '') return undefined
    const connections = createConnections({ ca, proxy, timeoutMs })
    const target = targetOf(new URL(urls[mode]), connections)
    const line = {
      target,
      connections,
      ahead: createRequestAhead(connections, target.options),
      exchanges: new Set<Promise<Reply>>(),
    }
    lines.set(mode, line)
    return line
  }

  /** Names and values in turn: what Node writes as it stands, without keeping each header under its name first. */
  function flat(headers: Readonly<Record<string, string>>): string[] {
    const known = flattened.get(headers) ?? Object.entries({ ...common, ...headers }).flat()
    flattened.set(headers, known)
    return known
  }

  function retire(mode: Mode): void {
    const line = lines.get(mode)
    if (!line) return
    lines.delete(mode)
    const closing = Promise.all(line.exchanges).then(() => {
      line.connections.destroy()
      retired.delete(closing)
    })
    retired.add(closing)
  }

  return {
    /** Opens a connection for a message that follows in a moment, unless one is open. Returns at once and never throws. */
    expect(mode: Mode): void {
      try {
        lineOf(mode)?.ahead.open()
      } catch {
        // The message itself tells what is wrong.
      }
    },
    /**
     * Posts a body and reads the whole answer within the time limit. Never throws: every failure is returned as a reply
     * that has not arrived. Nothing is sent while the mode has no bundle. Redirects are not followed.
     * @param headers are read once for each object
     * @param sent called once the request has left this process
     * @param withinMs where an answer may take longer than one to a sale
     */
    async post(
      mode: Mode,
      headers: Readonly<Record<string, string>>,
      body: Buffer,
      sent?: () => void,
      withinMs = timeoutMs,
    ): Promise<Reply> {
      const line = lineOf(mode)
      if (!line) return { arrived: false, status: null, reason: noBundle(mode) }
      const reply = exchange(line, flat(headers), body, withinMs, sent)
      line.exchanges.add(reply)
      return reply.finally(() => line.exchanges.delete(reply))
    },
    /** From now on opens new connections with the new bundle; running exchanges keep the old one. */
    reload: retire,
    async close(): Promise<void> {
      for (const mode of [...lines.keys()]) retire(mode)
      await Promise.all(retired)
    },
  }
}

/** Where a request goes, the same for each message. */
interface Target {
  options: RequestOptions
  /** What names the target in each request. */
  headers: string[]
}

function targetOf(url: URL, agent: Agent): Target {
  const { protocol, port, path, auth, ...parts } = urlToHttpOptions(url)
  const hostname = String(parts.hostname)
  const servername = isIP(hostname) === 0 ? hostname : ''
  const authorization = auth ? ['Authorization', `Basic ${Buffer.from(auth).toString('base64')}`] : []
  return {
    // The name for TLS is given: for want of it, Node takes it from the headers of each request.
    options: { protocol, hostname, port, path, method: 'POST', agent, servername },
    headers: ['Host', url.host, ...authorization],
  }
}

function exchange(line: Line, headers: string[], body: Buffer, timeoutMs: number, sent?: () => void): Promise<Reply> {
  return new Promise((resolve) => {
    let status: number | null = null
    const sending = begin(line, [...headers, 'content-length', String(body.length), ...line.target.headers])
    const end = (reply: Reply) => {
      clearTimeout(timer)
      resolve(reply)
    }
    const fail = (error: Failure) => {
      end({ arrived: false, status, reason: failureText(error, timeoutMs) })
      sending.destroy()
    }
    // The limit covers the exchange from connecting to the last byte.
    const timer = setTimeout(() => fail(coded('ETIMEDOUT')), timeoutMs)
    sending.on('error', fail)
    if (sent) sending.once('finish', sent)
    sending.once('response', (answer) => {
      status = answer.statusCode ?? null
      const certificate = validityShown(answer.socket)
      const connection = connectionNumber(answer.socket)
      const read = readBody(answer).then((body) => unpacked(body, answer.headers['content-encoding']))
      read.then((body) => {
        end({ arrived: true, status: answer.statusCode ?? 0, body, connection, ...factsOf(answer, certificate) })
      }, fail)
    })
    sending.end(body)
  })
}

/** On the connection that is open for it, where there is one. */
function begin({ target, ahead }: Line, headers: string[]): ClientRequest {
  const opened = ahead.take()
  if (!opened) return request({ ...target.options, headers })
  for (let i = 0; i < headers.length; i += 2) opened.setHeader(String(headers[i]), String(headers[i + 1]))
  return opened
}

/** Rejects when the body is too large, or ends early. */
function readBody(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > CIS_BOUNDS.answer.most) answer.destroy(coded('ANSWER_TOO_LARGE'))
    })
    answer.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    answer.once('error', reject)
  })
}

function factsOf({ headers }: IncomingMessage, certificate: Validity | null) {
  const date = dateOf(headers.date ?? '')
  const isPossible = date !== null && certificate && date >= certificate.from && date <= certificate.until
  return {
    framed: headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined,
    date: isPossible ? date : null,
  }
}

/** Accepts only an IMF-fixdate (RFC 9110, 5.6.7): `Date.parse` also accepts another zone or only a year. */
function dateOf(text: string): EpochMs | null {
  const date = Date.parse(text)
  return !Number.isNaN(date) && new Date(date).toUTCString() === text ? date : null
}

const coded = (code: string): Failure => Object.assign(new Error(code), { code })

const noBundle = (mode: Mode): Both => ({
  en: `no trust bundle is installed for ${mode} mode: run \`fisk doctor\``,
  hr: `nema certifikata Porezne uprave za ${MODE_HR[mode]} rad: pokrenite \`fisk doctor\``,
})
