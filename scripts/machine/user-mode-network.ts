import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { run } from '../package/run.ts'

/** One at a time, and not beside another network of these addresses, which are those that QEMU would give. */
export const TAP = 'fiskd-uml'
const [HOST, GUEST] = ['10.0.2.2', '10.0.2.15']

interface Ways {
  /** Ports of 127.0.0.1 on this host that lead to ports of the machine. */
  forwards: { host: number; guest: number }[]
  /** Ports of 127.0.0.1 on this host that the machine reaches, as 10.0.2.2. */
  reaches: readonly number[]
  /** A socket of this host that it reaches at a port of 10.0.2.2. */
  card: { path: string; port: number }
}

/** Makes the network of a machine, which ends at this host. @returns how to remove it, with all connections */
export async function openUserModeNetwork({ forwards, reaches, card }: Ways): Promise<() => void> {
  const sockets = new Set<Socket>()
  const servers: ReturnType<typeof createServer>[] = []
  const remove = () => {
    for (const server of servers) server.close()
    for (const socket of sockets) socket.destroy()
    spawnSync('ip', ['link', 'delete', TAP])
  }
  const lead = async (from: { address: string; port: number }, to: NetConnectOpts) => {
    const server = createServer((socket) => {
      const other = connect(to)
      for (const [one, end] of [[socket, other] as const, [other, socket] as const]) {
        sockets.add(one)
        one.on('error', () => {})
        one.on('close', () => {
          sockets.delete(one)
          end.destroy()
        })
        one.pipe(end)
      }
    })
    servers.push(server)
    server.listen(from.port, from.address)
    await once(server, 'listening')
  }
  spawnSync('ip', ['link', 'delete', TAP]) // what an earlier run left
  run('ip', ['tuntap', 'add', 'dev', TAP, 'mode', 'tap'])
  try {
    run('ip', ['address', 'add', `${HOST}/24`, 'dev', TAP])
    run('ip', ['link', 'set', TAP, 'up'])
    for (const { host, guest } of forwards)
      await lead({ address: '127.0.0.1', port: host }, { host: GUEST, port: guest })
    for (const port of reaches) await lead({ address: HOST, port }, { host: '127.0.0.1', port })
    await lead({ address: HOST, port: card.port }, { path: card.path })
  } catch (error) {
    remove()
    throw error
  }
  return remove
}
