import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Holders, holdersOf, textOf } from './processes.ts'

/** The state of a socket that listens, as the kernel writes it (`/proc/net/tcp`). */
const LISTENS = '0A'
const ANY_V4 = '00000000'
const ANY_V6 = '0'.repeat(32)

/** Which processes listen where an address would be listened on; null where nothing does. */
export function holdersOfAddress(proc: string, host: string, port: number): Holders | null {
  const inodes = new Set(listeners(proc).flatMap((one) => (one.port === port && clashes(one, host) ? one.inode : [])))
  if (inodes.size === 0) return null
  return holdersOf(proc, (link) => inodes.has(/^socket:\[(\d+)\]$/.exec(targetOf(link))?.[1] ?? ''))
}

interface Listener {
  /** As the kernel writes it: the bytes of each 32-bit word in the order of the processor. */
  address: string
  port: number
  inode: string
}

function listeners(proc: string): Listener[] {
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    textOf(join(proc, 'net', name))
      .split('\n')
      .slice(1),
  )
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const [address = '', port = ''] = local.split(':')
    return state === LISTENS ? [{ address, port: Number.parseInt(port, 16), inode }] : []
  })
}

/** Two listen on one port only at two addresses; one on every address of IPv6 usually has those of IPv4, too. */
function clashes({ address }: Listener, host: string): boolean {
  if (address === ANY_V6) return true
  const isV6 = address.length === ANY_V6.length
  if (host.includes(':') !== isV6) return false
  if (host === '0.0.0.0' || host === '::' || address === ANY_V4) return true
  return isV6 ? host !== '::1' || address === LOOPBACK_V6 : address === hexOf(host)
}

const LOOPBACK_V6 = `${'0'.repeat(24)}01000000`

/** A name may lead anywhere: it counts as this machine itself. */
function hexOf(host: string): string {
  const bytes = (/^[\d.]+$/.test(host) ? host : '127.0.0.1').split('.').map(Number)
  return Buffer.from(bytes.reverse()).toString('hex').toUpperCase()
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
