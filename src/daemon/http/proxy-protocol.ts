import type { Server as HttpServer } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'

/** Version 2 of the PROXY protocol (haproxy.org/download/2.6/doc/proxy-protocol.txt): what each header begins with. */
const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const FIXED_BYTES = 16
/** Addresses and a few extensions; HAProxy sends 28 or 52 bytes. */
const MOST_BYTES = 512
const LOCAL = 0x20
const PROXY = 0x21
const TCP_OVER_IPV4 = 0x11
const TCP_OVER_IPV6 = 0x21

/** How an IPv4 address begins in IPv6 (RFC 4291, 2.5.5.2). */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')

interface Peer {
  remoteAddress: string
  remotePort: number
}

/**
 * Lets load balancers say where a connection comes from, so that limits and logs are about the clients. From other
 * addresses such a header is no TLS, and is refused as such. A load balancer may leave it out. Call it last: what else
 * listens to `connection` sees the client's address then.
 */
export function believeProxies(server: HttpServer, proxies: readonly string[], headerMs: number): void {
  if (proxies.length === 0) return
  const believed = new BlockList()
  for (const address of proxies) believed.addAddress(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  /** By the address and port of the load balancer's end: a TLS connection has those of the connection below it. */
  const clients = new Map<string, Peer>()

  const next = server.listeners('connection') as ((this: HttpServer, socket: Socket) => void)[]
  server.removeAllListeners('connection')
  const goOn = (socket: Socket) => {
    for (const listener of next) listener.call(server, socket)
  }
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return socket.destroy()
    if (!believed.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return goOn(socket)
    readHeader(socket, headerMs, (client) => {
      if (client !== null) {
        const balancer = nameOf(socket)
        clients.set(balancer, client)
        socket.once('close', () => clients.delete(balancer))
        showAs(socket, client)
      }
      goOn(socket)
    })
  })
  server.prependListener('secureConnection', (socket: Socket) => {
    const client = clients.get(nameOf(socket))
    if (client) showAs(socket, client)
  })
}

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function showAs(socket: Socket, { remoteAddress, remotePort }: Peer): void {
  Object.defineProperties(socket, { remoteAddress: { value: remoteAddress }, remotePort: { value: remotePort } })
}

/** @param done gets the client, or null where the connection has no header or is the load balancer's own */
function readHeader(socket: Socket, headerMs: number, done: (client: Peer | null) => void): void {
  let head = Buffer.alloc(0)
  const cut = () => socket.destroy()
  socket.on('error', cut)
  const timer = setTimeout(cut, headerMs)
  socket.once('close', () => clearTimeout(timer))
  const look = () => {
    const bytes: Buffer | null = socket.read()
    if (bytes === null) return cut()
    head = Buffer.concat([head, bytes])
    const begun = SIGNATURE.subarray(0, head.length).equals(head.subarray(0, SIGNATURE.length))
    const length = head.length < FIXED_BYTES ? 0 : head.readUInt16BE(14)
    const end = begun ? FIXED_BYTES + length : 0
    if (end > MOST_BYTES) return cut()
    if (end > head.length) return socket.once('readable', look)
    clearTimeout(timer)
    socket.off('error', cut)
    const client = end === 0 ? null : clientOf(head.subarray(0, end))
    if (client === undefined) return cut()
    if (head.length > end) socket.unshift(head.subarray(end))
    return done(client)
  }
  socket.once('readable', look)
}

/** @returns undefined for what is no header of version 2 */
function clientOf(header: Buffer): Peer | null | undefined {
  const [command, family] = [header[12], header[13]]
  const body = header.subarray(FIXED_BYTES)
  if (command === LOCAL) return null
  if (command !== PROXY) return undefined
  if (family === TCP_OVER_IPV4 && body.length >= 12) {
    return { remoteAddress: [...body.subarray(0, 4)].join('.'), remotePort: body.readUInt16BE(8) }
  }
  if (family === TCP_OVER_IPV6 && body.length >= 36) {
    return { remoteAddress: ipv6Of(body.subarray(0, 16)), remotePort: body.readUInt16BE(32) }
  }
  return undefined
}

/** An IPv4 client of a balancer that speaks both is written as Node writes it, so that it counts as that client. */
function ipv6Of(address: Buffer): string {
  if (address.subarray(0, 12).equals(MAPPED)) return `::ffff:${[...address.subarray(12)].join('.')}`
  return Array.from({ length: 8 }, (_, at) => address.readUInt16BE(2 * at).toString(16)).join(':')
}
