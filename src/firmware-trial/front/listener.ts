import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { TrialCertificates } from '../environment/certificates.ts'
import type { Shown } from '../evidence.ts'

export type Listener = Awaited<ReturnType<typeof openListener>>

const TRIES = 20
const LOWEST_PORT = 20_000
const PORTS = 12_000

/** Below the ports that the system gives to clients: while the trial is away, no connection may take its place. */
const quietPort = () => LOWEST_PORT + randomInt(PORTS)

/** @param address with port 0: a free one. On loopback both families are listened on, as fiskd does. */
export async function openListener(
  address: { host: string; port: number },
  certificates: TrialCertificates,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const hosts = address.host === '127.0.0.1' ? ['127.0.0.1', '::1'] : [address.host]
  let current: Shown = 'first'
  const sockets = new Set<Socket>()
  const secured = new Set<Socket>()
  const shown = new WeakMap<Socket, Shown>()
  const tlsOf = (which: Shown) => ({ cert: certificates[which].certPem, key: certificates[which].keyPem })
  let isStalling = false
  const secure = createServer({ ...tlsOf(current), minVersion: 'TLSv1.2', keepAliveTimeout: 30_000 }, handle)
  secure.on('secureConnection', (socket: TLSSocket) => {
    shown.set(socket, current)
    secured.add(socket)
    socket.once('close', () => secured.delete(socket))
  })
  // A firmware that does not trust the certificate says so: that is what some scenarios want.
  secure.on('tlsClientError', () => {})
  const servers = hosts.map(() =>
    createTcpServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
      if (!isStalling) secure.emit('connection', socket)
      isStalling = false
    }),
  )
  let port = address.port || quietPort()
  const dropped = new WeakSet<Socket>()
  const drop = () => {
    for (const socket of sockets) socket.destroy()
    for (const socket of secured) {
      dropped.add(socket)
      socket.destroy()
    }
  }
  const listen = async () => {
    await listenOn(servers[0] as Server, String(hosts[0]), port)
    // A machine may have no IPv6: then nobody reaches it there.
    for (const [n, server] of servers.entries())
      if (n > 0) await listenOn(server, String(hosts[n]), port).catch(refuseTaken)
  }
  const goAway = async () => {
    const open = servers.filter((server) => server.listening)
    for (const server of open) server.close()
    drop()
    await Promise.all(open.map((server) => once(server, 'close')))
  }
  for (let tries = 1; ; tries++) {
    try {
      await listen()
      break
    } catch (error) {
      await goAway()
      if (address.port !== 0 || tries === TRIES) throw error
      port = quietPort()
    }
  }
  return {
    get port() {
      return port
    },
    hasDropped: (socket: Socket) => dropped.has(socket),
    shownTo: (socket: Socket) => shown.get(socket) ?? current,
    /** The next connection is accepted, and gets no TLS handshake, for as long as the firmware keeps it. */
    stallNext() {
      isStalling = true
    },
    /** Shows another certificate from the next connection on, and ends the present ones. */
    show(which: Shown) {
      current = which
      secure.setSecureContext(tlsOf(which))
      drop()
    },
    /** Refuses connections and destroys the present ones. */
    goAway,
    async comeBack() {
      if (!servers[0]?.listening) await listen()
    },
    close: goAway,
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

function refuseTaken(error: NodeJS.ErrnoException): void {
  if (error.code === 'EADDRINUSE') throw error
}
