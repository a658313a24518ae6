import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Chance } from '../chaos/chance.ts'

/** The line between a gateway and the central server, with a balancer at its end. */
export interface Link {
  port: number
  /** Every connection breaks, and no new one comes through until it is mended. */
  cut(): void
  mend(): void
  /** The connections that are open now break in the middle of what they carry, after so many more bytes. */
  breakAfter(bytes: number): void
  close(): Promise<void>
}

interface Connection {
  near: Socket
  far: Socket
  /** Bytes that still go through. */
  left: number
}

/** @param ends the ports of the server's processes: each connection goes to any of them */
export async function openLink(ends: readonly [number, ...number[]], chance: Chance): Promise<Link> {
  const open = new Set<Connection>()
  let isCut = false

  function drop(connection: Connection): void {
    open.delete(connection)
    connection.near.destroy()
    connection.far.destroy()
  }

  /** What was sent before the break arrives, as it does in life; what comes after it does not. */
  function carry(connection: Connection, from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, connection.left)
      connection.left -= part.length
      if (!to.write(part)) from.pause()
      if (connection.left === 0) drop(connection)
    })
    to.on('drain', () => from.resume())
    for (const event of ['error', 'end', 'close']) from.on(event, () => drop(connection))
  }

  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect({ port: chance.pick(ends), host: '127.0.0.1' })
    const connection = { near, far, left: Number.POSITIVE_INFINITY }
    open.add(connection)
    carry(connection, near, far)
    carry(connection, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const connection of open) drop(connection)
    },
    mend() {
      isCut = false
    },
    breakAfter(bytes) {
      for (const connection of open) connection.left = bytes
    },
    async close() {
      for (const connection of open) drop(connection)
      server.close()
      await once(server, 'close')
    },
  }
}
