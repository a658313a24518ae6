import { existsSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../domain/attempt.ts'
import { alike, type Both, joined } from '../../domain/texts/both.ts'
import { dataDir } from '../io.ts'
import { environmentFilePath } from '../machine/environment-file.ts'
import { daemonEnvironment, serviceEnvironment } from '../machine/fiskd-program.ts'
import { LOOPBACK_ONLY } from '../setup/listen-addresses.ts'
import { isSame } from './database-users.ts'
import { ending, type Holders, holdersOf, spoken } from './processes.ts'
import { dataDirectoryObstacles, namedFileObstacles, type Obstacle, vaultKeyObstacles } from './service-files.ts'
import { type Around, procOf, textOf } from './system.ts'

/** Another fiskd, a port that is taken, a disk that takes nothing, unreadable files. @param user of the service */
export async function startObstacles(io: Around, user: string): Promise<Obstacle[]> {
  const other = anotherDaemon(io)
  // Its ports and its files are held by that one.
  if (other.length > 0) return other
  const files = [...(await dataDirectoryObstacles(io, user)), ...vaultKeyObstacles(io)]
  const path = environmentFilePath(io.env)
  const inFile = {
    en: `give FISKD_LISTEN in ${path} another port`,
    hr: `u ${path} promijenite priključak u FISKD_LISTEN`,
  }
  return [...takenPorts(io, () => inFile), ...files, ...(await namedFileObstacles(io, user))]
}

/** The same for a fiskd that a person starts, with what this terminal has set; nothing may have been made yet. */
export async function obstaclesByHand(io: Around): Promise<Obstacle[]> {
  const other = anotherDaemon(io)
  if (other.length > 0) return other
  const isMade = existsSync(dataDir(daemonEnvironment(io.env)))
  const files = isMade ? [...(await dataDirectoryObstacles(io, '')), ...vaultKeyObstacles(io)] : []
  return [...takenPorts(io, (free) => alike(`export FISKD_LISTEN=127.0.0.1:${free}`)), ...files]
}

/** @param another how another port is chosen, such as one that nobody has */
function takenPorts(io: Around, another: (free: number) => Both): Obstacle[] {
  const listen = serviceEnvironment(io.env).FISKD_LISTEN || LOOPBACK_ONLY
  const found = listen.split(',').flatMap((one): Obstacle[] => {
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(one.trim()) ?? []
    const taken = port === '' ? null : holdersOfAddress(procOf(io), host, Number(port))
    if (taken === null) return []
    const used = new Set(listeners(procOf(io)).map((one) => one.port))
    let free = Number(port) + 1
    while (used.has(free)) free++
    const other = another(free)
    if (taken.holders.length === 0) {
      const detail = {
        en: `port ${port} is taken by a process that only root can see`,
        hr: `priključak ${port} zauzima proces koji vidi samo root`,
      }
      return [{ detail, fix: { en: `sudo fisk doctor; or ${other.en}`, hr: `sudo fisk doctor; ili ${other.hr}` } }]
    }
    const by = joined(taken.holders.map(spoken), ', ')
    const end = taken.holders.map(ending).join(' && ')
    const detail = { en: `port ${port} is taken by ${by.en}`, hr: `priključak ${port} zauzima ${by.hr}` }
    return [{ detail, fix: { en: `${end}; or ${other.en}`, hr: `${end}; ili ${other.hr}` } }]
  })
  // One program has often taken the port of both families.
  return found.filter(({ detail }, at) => found.findIndex((other) => other.detail.en === detail.en) === at)
}

/** The lock is held by whichever fiskd runs on the data. */
function anotherDaemon(io: Around): Obstacle[] {
  const folder = dataDir(daemonEnvironment(io.env))
  const lock = attempt(() => statSync(join(folder, 'fiskd.lock')), null)
  if (lock === null) return []
  return holdersOf(procOf(io), (link) => isSame(lock, link)).holders.map((holder) => ({
    detail: {
      en: `another fiskd, ${spoken(holder).en}, uses ${folder}`,
      hr: `${folder} koristi još jedan fiskd: ${spoken(holder).hr}`,
    },
    fix: alike(ending(holder)),
  }))
}

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

type Listener = ReturnType<typeof listeners>[number]

/** Each address as the kernel writes it: the bytes of each 32-bit word in the order of the processor. */
function listeners(proc: string) {
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

export const targetOf = (link: string) => attempt(() => readlinkSync(link), '')
