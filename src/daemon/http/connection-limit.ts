import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'

interface Connection {
  socket: Socket
  network: string
  /** It has had an answer before. */
  answered: boolean
  /** What was asked last, and the answer to it. */
  last?: { request: IncomingMessage; response: ServerResponse }
}

/**
 * Bounds how many connections a server holds. When it is full, a newcomer takes the place of another: of the network
 * who holds the most, so that nobody is pushed out by somebody who holds more; there, of a connection that never had an
 * answer rather than of one that is kept for the next sale; and among those, of the one that has been idle longest.
 * A request that awaits its answer keeps its place. When all of them do, the newcomer is turned away.
 *
 * Loopback is a network like any other: what floods a kiosk from inside loses its own places, and firmware that comes
 * over loopback shares them with nobody on the LAN.
 */
export function limitConnections(server: HttpServer, most: number): void {
  /** By address and port of the other end; whoever gave the last sign of life stands last. */
  const held = new Map<string, Connection>()
  const shares = new Map<string, number>()

  function take(peer: string, connection: Connection): void {
    held.set(peer, connection)
    shares.set(connection.network, (shares.get(connection.network) ?? 0) + 1)
  }

  function leave(peer: string, connection: Connection): void {
    if (held.get(peer) !== connection) return
    held.delete(peer)
    const left = (shares.get(connection.network) ?? 0) - 1
    if (left > 0) shares.set(connection.network, left)
    else shares.delete(connection.network)
  }

  function stir(peer: string): Connection | undefined {
    const connection = held.get(peer)
    if (!connection) return undefined
    held.delete(peer)
    held.set(peer, connection)
    return connection
  }

  function makeRoom(): boolean {
    for (const [network] of [...shares].sort(([, a], [, b]) => b - a)) {
      const idle = [...held].filter(([, connection]) => connection.network === network && !awaitsAnswer(connection))
      const [peer, connection] = idle.find(([, { answered }]) => !answered) ?? idle[0] ?? []
      if (peer === undefined || connection === undefined) continue
      leave(peer, connection)
      connection.socket.destroy()
      return true
    }
    return false
  }

  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // It has gone before it was looked at.
    if (remoteAddress === undefined) return socket.destroy()
    if (held.size >= most && !makeRoom()) return socket.destroy()
    const peer = peerOf(socket)
    const connection = { socket, network: clientNetwork(remoteAddress), answered: false }
    take(peer, connection)
    socket.once('close', () => leave(peer, connection))
  })
  server.prependListener('secureConnection', (socket: Socket) => void stir(peerOf(socket)))
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const peer = peerOf(request.socket)
    const connection = stir(peer)
    if (!connection) return
    connection.last = { request, response }
    response.once('finish', () => {
      connection.answered = true
      stir(peer)
    })
  })
}

/** Half a request is no request, and who does not read the answer does not wait for it. */
function awaitsAnswer({ last }: Connection): boolean {
  return last?.request.complete === true && !last.response.headersSent
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** One IPv4 address, or the IPv6 /56 that one customer of a provider has; the rate limits count by the same. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [left = [], right] = address
    .replace(/%.*/, '')
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const groups = right ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right] : left
  const upperHalf = Number.parseInt(groups[3], 16) & 0xff00
  return [...groups.slice(0, 3), upperHalf.toString(16)].join(':')
}
