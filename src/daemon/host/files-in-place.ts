import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, failure, fine } from '../../domain/check.ts'
import type { HealthCheck } from '../../fiscal/doctor/doctor.ts'
import { databasePath } from '../lifecycle/open-database.ts'

const OPEN_FILES = '/proc/self/fd'

/**
 * Whether the files that this process has open are those that bear their names: one that was removed or replaced
 * meanwhile takes sales until the process ends, and then they are gone.
 */
export function filesInPlace(dataDir: string): HealthCheck {
  const name = 'files in place'
  const database = databasePath(dataDir)

  async function examine(): Promise<Check[]> {
    const opened = await openFiles()
    const lost: string[] = []
    for (const path of [database, `${database}-wal`]) if (!(await isAmong(path, opened))) lost.push(path)
    if (lost.length > 0) return [failure(name, `${lost.join(' and ')} was removed or replaced while fiskd runs`, SAVE)]
    if (!(await isAmong(join(dataDir, 'fiskd.lock'), opened))) {
      const problem = `${join(dataDir, 'fiskd.lock')} was removed: nothing keeps a second fiskd off this database`
      return [failure(name, problem, 'take a new lock: systemctl restart fiskd')]
    }
    return [fine(name, 'the database and its lock are those that fiskd has open')]
  }
  return { name, run: examine }
}

const SAVE =
  `the sales are only in what fiskd (process ${process.pid}) holds open: before it stops, find it with ` +
  `sudo ls -l /proc/${process.pid}/fd, copy both with sudo cp /proc/${process.pid}/fd/NUMBER to FILE and FILE-wal, then ` +
  'stop fiskd and restore that: fisk restore FILE'

async function openFiles(): Promise<Stats[]> {
  const looks = (await readdir(OPEN_FILES)).map((fd) => stat(join(OPEN_FILES, fd)).catch(() => undefined))
  return (await Promise.all(looks)).filter((found) => found !== undefined)
}

async function isAmong(path: string, opened: readonly Stats[]): Promise<boolean> {
  const named = await stat(path).catch(() => undefined)
  return opened.some(({ dev, ino }) => named?.dev === dev && named.ino === ino)
}
