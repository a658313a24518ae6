import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ListenAddress } from '../config/parsers.ts'
import { limitConnections } from './connection-limit.ts'
import { finishRequestsBeforeClose } from './finish-requests.ts'
import { LISTENER_LIMITS, type ListenerLimits } from './listener-limits.ts'
import { believeProxies } from './proxy-protocol.ts'
import { continueWhenRead, readRestOfBodyAfterEarlyAnswers } from './read-rest-of-body.ts'
import { claimSocketPath } from './socket-path.ts'

/** A certificate and its key, PEM. */
export interface TlsPair {
  certPem: string
  keyPem: string
}

export interface Listener {
  /** Where it can be reached, e.g. `https://127.0.0.1:8443`. */
  url: string
  /** Accepts no new connections, answers the requests under way, then resolves. */
  close(): Promise<void>
}

export interface TlsListener extends Listener {
  /** The address that it is bound to, where a name was given, too. */
  host: string
  /** Serves new connections with another certificate; those that are open keep theirs. */
  useCertificate(tls: TlsPair): void
}

/** The error bodies (JSON) for input that is not a valid request. */
export interface Refusals {
  plainHttp(): string
  malformedHttp(): string
}

const TLS_HANDSHAKE = 0x16

const LINGER_MS = 1000

/**
 * Listens for TLS 1.2 or better. Plain HTTP on this port is answered with a refusal and closed: nothing of it is
 * processed, and nothing is redirected (docs/spec/interface.md, General facts).
 * @param proxies as for `believeProxies`
 * @throws Error with the code of the operating system when the address cannot be had
 */
export async function listenTls(
  { host, port }: ListenAddress,
  tls: TlsPair,
  handler: RequestListener,
  refusals: Refusals,
  limits: ListenerLimits = LISTENER_LIMITS,
  proxies: readonly string[] = [],
): Promise<TlsListener> {
  const patience = { ...requestPatience(limits), handshakeTimeout: limits.handshakeMs }
  const https = createHttpsServer({ ...contextOf(tls), ...patience, requireHostHeader: false }, handler)
  https.keepAliveTimeout = limits.keepAliveMs
  https.timeout = limits.stallMs
  answerMalformedHttp(https, refusals)
  answerHalfClosed(https)
  // A failed handshake affects no other connection.
  https.on('tlsClientError', (_error, socket) => socket.destroy())
  knockBeforeTls(https, refusals.plainHttp, limits.firstByteMs)
  limitConnections(https, limits.connections)
  readRestOfBodyAfterEarlyAnswers(https, limits)
  continueWhenRead(https)
  const drain = finishRequestsBeforeClose(https)
  believeProxies(https, proxies, limits.firstByteMs)
  await listening(https, { host, port, ipv6Only: true })
  const { port: actualPort, address } = https.address() as AddressInfo
  return {
    host: address,
    url: `https://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    useCertificate: (renewed) => https.setSecureContext(contextOf(renewed)),
    close: drain.close,
  }
}

/** Every process that may open the file is the local operator. @throws Error that names the path */
export async function listenSocket(path: string, handler: RequestListener, refusals: Refusals): Promise<Listener> {
  const server = createHttpServer({ ...requestPatience(LISTENER_LIMITS), requireHostHeader: false }, handler)
  answerMalformedHttp(server, refusals)
  answerHalfClosed(server)
  readRestOfBodyAfterEarlyAnswers(server, LISTENER_LIMITS)
  continueWhenRead(server)
  const drain = finishRequestsBeforeClose(server)
  await claimSocketPath(path)
  try {
    await listening(server, { path })
    await chmod(path, 0o660)
  } catch (error) {
    server.close()
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`the admin socket ${path} cannot be made: ${code}`, { cause: error })
  }
  return { url: path, close: drain.close }
}

/** Looks at the first byte of a connection before the TLS server does, and turns away what is not TLS. */
function knockBeforeTls(https: HttpServer, refusal: () => string, firstByteMs: number): void {
  const admit = https.listeners('connection') as ((this: HttpServer, socket: Socket) => void)[]
  https.removeAllListeners('connection')
  https.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.setTimeout(firstByteMs, () => socket.destroy())
    socket.once('readable', () => {
      const head: Buffer | null = socket.read()
      if (head === null) return socket.destroy()
      socket.setTimeout(0)
      if (head[0] !== TLS_HANDSHAKE) return answerRaw(socket, refusal())
      socket.unshift(head)
      for (const next of admit) next.call(https, socket)
    })
  })
}

/** Answers a client that closes its sending side behind its request: node would end the connection without an answer. */
function answerHalfClosed(server: HttpServer): void {
  // Not in its types.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Who leaves in the middle of a handshake waits for nothing.
  server.prependListener('secureConnection', (socket: Socket) => {
    socket.allowHalfOpen = true
  })
}

/** Adds the error body to requests that node itself refuses. */
function answerMalformedHttp(server: HttpServer, { malformedHttp }: Refusals): void {
  /** The requests under way on each connection, in their order, with their responses. */
  const underWay = new WeakMap<Duplex, [IncomingMessage, ServerResponse][]>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const before = underWay.get(request.socket) ?? []
    underWay.set(request.socket, [...before.filter(([, { writableEnded }]) => !writableEnded), [request, response]])
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const whole = underWay.get(socket)?.filter(([request, response]) => request.complete && !response.writableEnded)
    const [, response] = whole?.at(-1) ?? []
    // A request before it may be a sale, and a 400 would deny it: send its own answer, then close the connection.
    if (response) {
      response.shouldKeepAlive = false
      return
    }
    // A slow line is not an error of the request: without an answer the client retries, after a 400 it would not.
    const stalled = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (socket.writable && !stalled) answerRaw(socket as Socket, malformedHttp())
    else if (!socket.writableEnded) socket.destroy()
  })
  // An unknown `Expect` header is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function answerRaw(socket: Socket, body: string): void {
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // If the socket were destroyed at once, a client that is still sending would see a reset instead of the answer.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.resume().once('close', () => clearTimeout(timer))
}

function requestPatience({ headersMs, requestMs, checkEveryMs }: ListenerLimits) {
  return { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkEveryMs }
}

function contextOf({ certPem, keyPem }: TlsPair) {
  return { cert: certPem, key: keyPem, minVersion: 'TLSv1.2' as const }
}

async function listening(
  server: HttpServer,
  where: { path: string } | { host: string; port: number; ipv6Only: boolean },
): Promise<void> {
  server.listen(where)
  await once(server, 'listening')
  // A failed accept, for example because a network is down, affects no other connection.
  server.on('error', () => {})
}
