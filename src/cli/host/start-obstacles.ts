import { statSync } from 'node:fs'
import { join } from 'node:path'
import { alike } from '../../domain/texts/both.ts'
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
    const other = {
      en: `give FISKD_LISTEN in ${environmentFilePath(io.env)} another port`,
      hr: `u ${environmentFilePath(io.env)} promijenite priključak u FISKD_LISTEN`,
    }
    if (taken.holders.length === 0) {
      const detail = {
        en: `port ${port} is taken by a process that only root can see`,
        hr: `priključak ${port} zauzima proces koji vidi samo root`,
      }
      return [{ detail, fix: { en: `sudo fisk doctor; or ${other.en}`, hr: `sudo fisk doctor; ili ${other.hr}` } }]
    }
    const by = taken.holders.map(spoken)
    const end = taken.holders.map(ending).join(' && ')
    const fix = { en: `${end}; or ${other.en}`, hr: `${end}; ili ${other.hr}` }
    return [
      {
        detail: {
          en: `port ${port} is taken by ${by.map(({ en }) => en).join(' and ')}`,
          hr: `priključak ${port} zauzima ${by.map(({ hr }) => hr).join(' i ')}`,
        },
        fix,
      },
    ]
  })
  // One program has often taken the port of both families.
  return found.filter(({ detail }, at) => found.findIndex((other) => other.detail.en === detail.en) === at)
}

/** The lock is held by whichever fiskd runs on the data. */
function anotherDaemon(io: Around): Obstacle[] {
  const folder = dataDir(daemonEnvironment(io.env))
  const lock = statOf(join(folder, 'fiskd.lock'))
  if (lock === null) return []
  return holdersOf(procOf(io), (link) => isSame(lock, link)).holders.map((holder) => ({
    detail: {
      en: `another fiskd, ${spoken(holder).en}, uses ${folder}`,
      hr: `${folder} koristi još jedan fiskd: ${spoken(holder).hr}`,
    },
    fix: alike(ending(holder)),
  }))
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
