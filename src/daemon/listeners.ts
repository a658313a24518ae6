import { chmod, rm } from 'node:fs/promises'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { ListenAddress } from './config.ts'

/** A certificate and its key, PEM. */
export interface TlsPair {
  certPem: string
  keyPem: string
}

/** Something that accepts connections until it is closed. */
export interface Listener {
  /** Where it can be reached, e.g. `https://127.0.0.1:8443`. */
  url: string
  /** Takes nothing new, lets what is under way finish, then resolves. */
  close(): Promise<void>
}

const TLS_HANDSHAKE = 0x16

export interface TlsListener extends Listener {
  /** Serves new connections with another certificate; those that are open keep theirs. */
  useCertificate(tls: TlsPair): void
}

/**
 * Listens for TLS 1.2 or better. Plain HTTP on this port is answered with a refusal and closed: nothing of it is
 * processed, and nothing is redirected (interface.md, General facts).
 * @param refusal the error body for plain HTTP, JSON
 * @throws Error with the code of the operating system when the address cannot be had
 */
export async function listenTls(
  { host, port }: ListenAddress,
  tls: TlsPair,
  handler: RequestListener,
  refusal: string,
): Promise<TlsListener> {
  const https = createHttpsServer(contextOf(tls), handler)
  https.keepAliveTimeout = KEEP_ALIVE_MS
  // A connection that failed its handshake is closed by node; it concerns nobody else.
  https.on('tlsClientError', (_error, socket) => socket.destroy())
  const sockets = new Set<Socket>()
  const door = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => socket.destroy())
    socket.once('readable', () => {
      const head: Buffer | null = socket.read()
      if (head === null) return socket.destroy()
      socket.setTimeout(0)
      if (head[0] !== TLS_HANDSHAKE) return refusePlainHttp(socket, refusal)
      socket.unshift(head)
      https.emit('connection', socket)
    })
  })
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject)
    door.listen({ host, port, ipv6Only: true }, resolve)
  })
  const { port: actualPort } = door.address() as AddressInfo
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    useCertificate: (renewed) => https.setSecureContext(contextOf(renewed)),
    async close() {
      https.closeIdleConnections()
      const idle = setInterval(() => https.closeIdleConnections(), 100)
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, CLOSE_TIMEOUT_MS)
      await closed(door)
      clearInterval(idle)
      clearTimeout(deadline)
      https.close()
    },
  }
}

/** A machine that sells every minute keeps its connection, and with it the cost of a handshake. */
const KEEP_ALIVE_MS = 75_000

const HANDSHAKE_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 10_000

/** Listens on the admin socket: whoever may open the file is the local operator. */
export async function listenSocket(path: string, handler: RequestListener): Promise<Listener> {
  const server: HttpServer = createHttpServer(handler)
  // The instance lock is held, so a socket file found here is what a crash left behind.
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o660)
  return {
    url: path,
    async close() {
      server.closeIdleConnections()
      await closed(server)
    },
  }
}

function contextOf({ certPem, keyPem }: TlsPair) {
  return { cert: certPem, key: keyPem, minVersion: 'TLSv1.2' as const }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function refusePlainHttp(socket: Socket, body: string): void {
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
