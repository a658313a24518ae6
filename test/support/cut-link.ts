import { connect, createServer, type Socket } from 'node:net'

/** A line between a client and a server that somebody may cut. */
export interface CutLink {
  port: number
  /** `https://127.0.0.1:PORT`. */
  url: string
  /** Carries nothing any more, in either direction, without a word. */
  fallSilent(): void
  /** Ends every connection in the middle, and takes none until it comes back. */
  goDown(): void
  comeBack(): void
  /** Ends every connection in the middle; new ones are taken. */
  cut(): void
  /** Cuts once, after so many more bytes have come from that side. */
  cutAfter(bytes: number, from: 'client' | 'server'): void
  /** How often a connection was cut. */
  cuts(): number
  /** Bytes that have come from the client. */
  sent(): number
  close(): Promise<void>
}

/** @param target where the other end is, `https://HOST:PORT` or a socket's path; asked for every connection */
export async function startCutLink(
  target: () => string,
  atTheEnd: (close: () => Promise<void>) => void,
): Promise<CutLink> {
  const pairs = new Set<[Socket, Socket]>()
  const left = { client: Number.POSITIVE_INFINITY, server: Number.POSITIVE_INFINITY }
  let [isDown, isSilent, cuts, sent] = [false, false, 0, 0]

  function cut(): void {
    for (const pair of pairs) {
      cuts++
      const [client, server] = pair
      client.resetAndDestroy()
      // The socket of a path knows no reset.
      server.destroy()
    }
    pairs.clear()
  }

  const listener = createServer((client) => {
    client.on('error', () => {})
    const place = target()
    const isPath = place.startsWith('/')
    if (isDown || !(isPath || URL.canParse(place))) return client.resetAndDestroy()
    const { hostname, port } = new URL(isPath ? 'https://localhost' : place)
    const server = isPath ? connect(place) : connect(Number(port), hostname)
    const pair: [Socket, Socket] = [client, server]
    pairs.add(pair)
    const carry = (side: 'client' | 'server', from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (isSilent) return
        if (side === 'client') sent += bytes.length
        left[side] -= bytes.length
        if (left[side] <= 0) {
          left[side] = Number.POSITIVE_INFINITY
          return cut()
        }
        to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
    carry('client', client, server)
    carry('server', server, client)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const close = async () => {
    cut()
    await new Promise((resolve) => listener.close(resolve))
  }
  atTheEnd(close)
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    goDown() {
      isDown = true
      cut()
    },
    fallSilent() {
      isSilent = true
    },
    comeBack() {
      isDown = false
      isSilent = false
    },
    cut,
    cutAfter(bytes, from) {
      left[from] = bytes
    },
    cuts: () => cuts,
    sent: () => sent,
    close,
  }
}
