import { statSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../io.ts'
import { environmentFilePath } from '../machine/environment-file.ts'
import { daemonEnvironment, serviceEnvironment } from '../machine/fiskd-program.ts'
import { isSame } from './database-users.ts'
import type { Obstacle } from './obstacle.ts'
import { holdersOfAddress } from './port-holders.ts'
import { ending, holdersOf, spoken } from './processes.ts'
import { dataDirectoryObstacles, namedFileObstacles } from './service-files.ts'
import { type Around, procOf } from './system.ts'

/**
 * Looks for what a start stumbles over: another fiskd, a port that is taken, a disk that takes nothing, files that the
 * account of the service cannot read.
 * @param user the account of the service
 */
export async function startObstacles(io: Around, user: string): Promise<Obstacle[]> {
  const other = anotherDaemon(io)
  // Its ports and its files are held by that one.
  if (other.length > 0) return other
  return [...takenPorts(io), ...(await dataDirectoryObstacles(io, user)), ...(await namedFileObstacles(io, user))]
}

const DEFAULT_LISTEN = '127.0.0.1:8443,[::1]:8443'

function takenPorts(io: Around): Obstacle[] {
  const listen = serviceEnvironment(io.env).FISKD_LISTEN || DEFAULT_LISTEN
  const found = listen.split(',').flatMap((one): Obstacle[] => {
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(one.trim()) ?? []
    const taken = port === '' ? null : holdersOfAddress(procOf(io), host, Number(port))
    if (taken === null) return []
    const other = `give FISKD_LISTEN in ${environmentFilePath(io.env)} another port`
    if (taken.holders.length === 0) {
      const detail = `port ${port} is taken by a process that only root can see`
      return [{ detail, fix: `sudo fisk doctor; or ${other}` }]
    }
    const fix = `${taken.holders.map(ending).join(' && ')}; or ${other}`
    return [{ detail: `port ${port} is taken by ${taken.holders.map(spoken).join(' and ')}`, fix }]
  })
  // One program has often taken the port of both families.
  return found.filter(({ detail }, at) => found.findIndex((other) => other.detail === detail) === at)
}

/** The lock is held by whichever fiskd runs on the data. */
function anotherDaemon(io: Around): Obstacle[] {
  const folder = dataDir(daemonEnvironment(io.env))
  const lock = statOf(join(folder, 'fiskd.lock'))
  if (lock === null) return []
  return holdersOf(procOf(io), (link) => isSame(lock, link)).holders.map((holder) => ({
    detail: `another fiskd, ${spoken(holder)}, uses ${folder}`,
    fix: ending(holder),
  }))
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
