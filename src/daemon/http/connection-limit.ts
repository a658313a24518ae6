import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'

interface Connection {
  socket: Socket
  network: string
  /** A request on this connection has been answered before. */
  answered: boolean
  last?: { request: IncomingMessage; response: ServerResponse }
}

/**
 * When the server is full, a new connection evicts an idle one. The evicted one belongs to the network with the most
 * connections, so that a network is never evicted by one that holds more. Within that network, connections without any
 * answer yet go first (an answered one is kept alive for the next sale), then the one that has been idle longest. A
 * connection whose request awaits its answer is never evicted; when all await one, the new connection is closed.
 *
 * Loopback counts as one network: a local program that floods a kiosk evicts its own connections, and firmware that
 * connects over loopback shares its quota with no host on the LAN.
 */
export function limitConnections(server: HttpServer, most: number): void {
  /** By address and port of the peer, in order of last activity: the most recently active connection is last. */
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
    // The peer has already closed the connection.
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

/** True when the last request is complete and its response has not begun. A slow sender or reader does not count. */
function awaitsAnswer({ last }: Connection): boolean {
  return last?.request.complete === true && !last.response.headersSent
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** One IPv4 address (also as IPv6 shows it), or the IPv6 /56 of one customer. The rate limits count by it, too. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [left = [], right] = address
    .replace(/%.*/, '')
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const groups = right ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right] : left
  const upperHalf = Number.parseInt(groups[3], 16) & 0xff00
  return [...groups.slice(0, 3), upperHalf.toString(16)].join(':')
}
