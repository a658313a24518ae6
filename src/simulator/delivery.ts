import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import type { Delivery, Misbehaviour, Oddity, Outage } from './misbehaviours.ts'
import { faultEnvelope } from './soap.ts'

/** A reply: HTTP status and body, and headers that differ from those of XML. */
export interface Reply {
  status: number
  body: string
  headers?: Record<string, string>
}

const HUGE_BYTES = 100 * 1024 * 1024
const SLOW_MS = 3000
const TRICKLE_MS = 100

export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8', ...headers })
  response.end(body)
}

const PROXY_PAGE = `<!DOCTYPE html>
<html><head><title>500 Internal Server Error</title></head>
<body><h1>Internal Server Error</h1><p>The proxy server could not handle the request.</p></body></html>
`

/** What a service says that is out of order. */
const OUT_OF_ORDER: Partial<Record<Outage, Reply>> = {
  'http-503': { status: 503, body: 'Service Unavailable', headers: { 'content-type': 'text/plain' } },
  'html-500': { status: 500, body: PROXY_PAGE, headers: { 'content-type': 'text/html' } },
  'soap-fault': { status: 500, body: faultEnvelope('Server', 'Internal Error (from server)') },
  redirect: { status: 302, body: '', headers: { location: '/FiskalizacijaServiceDrugdje' } },
}

/** Answers like a service that is out of order; `timeout` leaves the request open until the client disconnects. */
export function sendOutage(response: ServerResponse, outage: Outage): void {
  const reply = OUT_OF_ORDER[outage]
  if (reply) send(response, reply)
  else if (outage === 'drop-before') response.destroy()
}

/** Sends a reply in the way of a misbehaviour; normally when the misbehaviour does not concern sending. */
export async function deliver(response: ServerResponse, reply: Reply, how: Misbehaviour | null): Promise<void> {
  if (typeof how === 'object' && how !== null) {
    if ('delayMs' in how) return sendLate(response, reply, how.delayMs)
    if ('trickleMs' in how) return trickle(response, reply, how.trickleMs)
  }
  const way = typeof how === 'string' ? WAYS[how] : undefined
  await (way ?? send)(response, reply)
}

type Way = (response: ServerResponse, reply: Reply) => unknown

/** What is sent in another way than others are. */
const WAYS: Partial<Record<string, Way>> & Record<Exclude<Delivery | Oddity, 'sha1' | 'spaced'>, Way> = {
  'drop-after': (response) => response.destroy(),
  truncated: sendHalf,
  slow: (response, reply) => sendLate(response, reply, SLOW_MS),
  trickle: (response, reply) => trickle(response, reply, TRICKLE_MS),
  huge: sendHuge,
  'not-xml': (response) => send(response, { status: 200, body: 'OK', headers: { 'content-type': 'text/plain' } }),
  empty: (response) => send(response, { status: 200, body: '' }),
  'utf-16': sendUtf16,
  gzip: (response, reply) => sendPacked(response, reply, 'gzip'),
  deflate: (response, reply) => sendPacked(response, reply, 'deflate'),
  continue(response, reply) {
    response.writeContinue()
    send(response, reply)
  },
}

async function sendLate(response: ServerResponse, reply: Reply, delayMs: number): Promise<void> {
  if (await pause(response, delayMs)) send(response, reply)
}

async function trickle(response: ServerResponse, { status, body }: Reply, everyMs: number): Promise<void> {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8', 'content-length': bytes.length })
  for (const byte of bytes) {
    response.write(Buffer.of(byte))
    if (!(await pause(response, everyMs))) return
  }
  response.end()
}

function sendUtf16(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-16' })
  response.end(Buffer.from(`\ufeff${body.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, 'utf16le'))
}

function sendPacked(response: ServerResponse, { status, body }: Reply, encoding: 'gzip' | 'deflate'): void {
  response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8', 'content-encoding': encoding })
  response.end(encoding === 'gzip' ? gzipSync(body) : deflateSync(body))
}

async function sendHalf(response: ServerResponse, { status, body }: Reply): Promise<void> {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8', 'content-length': bytes.length })
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  await new Promise<void>((resolve) => response.write(half, () => resolve()))
  response.destroy()
}

async function sendHuge(response: ServerResponse, { body }: Reply): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/xml;charset=UTF-8' })
  response.write(body.slice(0, body.indexOf('<soap:Body>')))
  const blanks = Buffer.alloc(256 * 1024, ' ')
  const hungUp = once(response, 'close')
  for (let sent = 0; sent < HUGE_BYTES && !response.destroyed; sent += blanks.length) {
    if (!response.write(blanks)) await Promise.race([once(response, 'drain'), hungUp])
  }
  if (!response.destroyed) response.end(body.slice(body.indexOf('<soap:Body>')))
}

/** Waits; resolves to false as soon as the connection is closed. */
async function pause(response: ServerResponse, ms: number): Promise<boolean> {
  const over = new AbortController()
  const { signal } = over
  const hungUp = once(response, 'close', { signal }).catch(() => {})
  if (!response.destroyed) await Promise.race([delay(ms, undefined, { signal }), hungUp])
  over.abort()
  return !response.destroyed
}
