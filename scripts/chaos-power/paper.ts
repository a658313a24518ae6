import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Paper, zkisOn } from '../chaos/paper.ts'
import type { Scratch } from '../chaos/scratch.ts'

/**
 * Printers in the network of the machines: what they get is on paper, whatever becomes of the machine. They never answer, so
 * that what was sent is `unconfirmed`, as the judge expects of printers that are files.
 * @param host this host, as the machine reaches it
 */
export async function openNetworkPaper(
  count: number,
  host: string,
  scratch: Scratch,
): Promise<Paper & { ports: number[] }> {
  const dir = join(scratch.dir, 'paper')
  mkdirSync(dir)
  const fileOf = (machine: number) => join(dir, `${machine}.bin`)
  const ports: number[] = []
  for (let i = 0; i < count; i++) {
    const server = createServer((socket) => {
      socket.on('data', (chunk) => appendFileSync(fileOf(i), chunk))
      socket.on('error', () => {})
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
    scratch.atTheEnd(() => server.close())
  }
  return {
    ports,
    lineOf: (machine) => `tcp:${host}:${ports[machine]}`,
    settings: { answers: 'never' },
    zkis: () =>
      ports.flatMap((_port, machine) =>
        existsSync(fileOf(machine)) ? zkisOn(readFileSync(fileOf(machine), 'latin1')) : [],
      ),
  }
}
