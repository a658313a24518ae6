import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Chance } from '../chaos/chance.ts'
import { inOrder } from './in-order.ts'

/** A port of loopback, or the path of a Unix socket. */
export type End = number | string

/** The line between two parties, such as a gateway and the central server, with a balancer at its end. */
export interface Link {
  port: number
  /** Every connection breaks, and no new one comes through until it is mended. */
  cut(): void
  mend(): void
  /** The connections that are open now break in the middle of what they carry, after so many more bytes. */
  breakAfter(bytes: number): void
  /** From now on new connections go elsewhere; those that are open break. */
  lead(ends: readonly [End, ...End[]]): void
  /** What is sent from now on arrives half of the round trip later. */
  delay(roundTripMs: number): void
  close(): Promise<void>
}

interface Connection {
  near: Socket
  far: Socket
  /** Bytes that still go through. */
  left: number
}

/** @param firstEnds where connections go, each to any of them: the ports of the server's processes, or a database */
export async function openLink(firstEnds: readonly [End, ...End[]], chance: Chance): Promise<Link> {
  const open = new Set<Connection>()
  const later = inOrder()
  let ends = firstEnds
  let [isCut, delayMs] = [false, 0]

  function drop(connection: Connection): void {
    open.delete(connection)
    connection.near.destroy()
    connection.far.destroy()
  }

  /** What was sent before the break or the end arrives, as it does in life; what comes after it does not. */
  function carry(connection: Connection, from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, connection.left)
      connection.left -= part.length
      const isLast = connection.left === 0
      later(delayMs, () => {
        if (!to.destroyed && !to.write(part)) from.pause()
        if (isLast) drop(connection)
      })
    })
    to.on('drain', () => from.resume())
    from.on('error', () => drop(connection))
    for (const event of ['end', 'close']) from.on(event, () => later(delayMs, () => drop(connection)))
  }

  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return near.destroy()
    const end = chance.pick(ends)
    const far = typeof end === 'string' ? connect(end) : connect({ port: end, host: '127.0.0.1', noDelay: true })
    const connection = { near, far, left: Number.POSITIVE_INFINITY }
    open.add(connection)
    carry(connection, near, far)
    carry(connection, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const dropAll = () => {
    for (const connection of open) drop(connection)
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      dropAll()
    },
    mend() {
      isCut = false
    },
    breakAfter(bytes) {
      for (const connection of open) connection.left = bytes
    },
    lead(others) {
      ends = others
      dropAll()
    },
    delay(roundTripMs) {
      delayMs = roundTripMs / 2
    },
    async close() {
      dropAll()
      server.close()
      await once(server, 'close')
    },
  }
}
