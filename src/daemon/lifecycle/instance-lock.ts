import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { attempt } from '../../domain/attempt.ts'
import { Obstacle } from './obstacle.ts'

/**
 * The lock is the operating system's, on a small file of its own: it is gone with the process, however that ends, which
 * no file with a process id in it can promise.
 * @throws Error naming the other process when one holds it
 */
export function takeInstanceLock(dataDir: string): Disposable {
  const pidPath = join(dataDir, 'fiskd.pid')
  const lock = openLock(dataDir)
  try {
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw notWritable(dataDir, error)
    const pid = textOf(pidPath).trim() || 'unknown'
    const problem = `another fiskd (process ${pid}) already uses ${dataDir}: stop it first`
    throw new Obstacle(problem, endingOf(pid), { cause: error })
  }
  // On a full disk the lock still works; only the process id of its holder is unknown.
  attempt(() => writeFileSync(pidPath, `${process.pid}\n`), undefined)
  return { [Symbol.dispose]: () => void lock.close() }
}

function openLock(dataDir: string): Database.Database {
  try {
    return new Database(join(dataDir, 'fiskd.lock'), { timeout: 0 })
  } catch (error) {
    throw notWritable(dataDir, error)
  }
}

function notWritable(dataDir: string, cause: unknown): Error {
  const message = `the data directory ${dataDir} cannot be written to: free some space, or see FISKD_DATA_DIR`
  return new Error(message, { cause })
}

/** A service would be started again by systemd. */
function endingOf(pid: string): string {
  const service = /\/(fiskd[\w@-]*)\.service$/m.exec(textOf(`/proc/${pid}/cgroup`))?.[1]
  return service === undefined && /^\d+$/.test(pid) ? `kill ${pid}` : `sudo systemctl stop ${service ?? 'fiskd'}`
}

const textOf = (path: string): string => attempt(() => readFileSync(path, 'utf8'), '')
