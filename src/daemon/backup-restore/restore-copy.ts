import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  statfsSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { quickCheck } from '../../store/sqlite/quick-check.ts'
import { readDatabase, withDatabase } from '../../store/sqlite/with-database.ts'
import { removeCopy } from './set-aside.ts'

/** The copy of a backup in which everything happens before it takes the place of the database. */
export const copyPath = (dataDir: string) => join(dataDir, 'fiskd.db.restoring')

export function removeHalfRestore(dataDir: string): void {
  removeCopy(copyPath(dataDir))
}

/** A backup by its descriptors: who opened them may be allowed to read what this account is not. */
export interface OpenBackup {
  file: number
  /** Its write-ahead log, if it has one: so have databases that were set aside. */
  log: number | null
}

/** @throws Error naming the file */
export function openBackup(path: string): OpenBackup {
  const opened = (one: string) => {
    try {
      return openSync(one, 'r')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Error(code === 'ENOENT' ? `there is no file ${one}` : `${one} cannot be read: ${code}`, {
        cause: error,
      })
    }
  }
  const file = opened(path)
  try {
    return { file, log: existsSync(`${path}-wal`) ? opened(`${path}-wal`) : null }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

export function closeBackup({ file, log }: OpenBackup): void {
  closeSync(file)
  if (log !== null) closeSync(log)
}

/** For the copy, and for what is changed in it. @throws Error when there is less */
export function requireRoomFor(file: string, backup: OpenBackup, dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir)
  const sizes = [backup.file, backup.log].map((fd) => (fd === null ? 0 : fstatSync(fd).size))
  const needed = 2 * sizes.reduce((sum, size) => sum + size, 0)
  if (bavail * bsize >= needed) return
  const room = `${megabytes(bavail * bsize)} are free and ${megabytes(needed)} are needed`
  throw new Error(`there is no room to restore ${file} in ${dataDir}: ${room}`)
}

export const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** With its write-ahead log. @returns the file's SHA-256 */
export async function copyBackup({ file, log }: OpenBackup, copy: string): Promise<string> {
  const hash = createHash('sha256')
  const hashed = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  const source = (fd: number) => createReadStream('', { fd, start: 0, autoClose: false })
  const target = (path: string) => createWriteStream(path, { mode: 0o640, flags: 'wx' })
  await pipeline(source(file), hashed, target(copy))
  chmodSync(copy, 0o640)
  if (log !== null) await pipeline(source(log), target(`${copy}-wal`))
  return hash.digest('hex')
}

export interface Changed {
  reserved: number
  /** Of the audit entry. */
  sha256: string
  at: number
}

/** On a full disk SQLite silently leaves changes in the write-ahead log. @throws Error where the file lacks them */
export async function proveCopy(copy: string, changed: Changed): Promise<void> {
  try {
    foldLog(copy)
    const problems = await quickCheck(copy).problems
    if (problems.length > 0) throw new Error(problems.join('; '))
    requireChanges(copy, changed)
  } catch (error) {
    const why = (error as Error).message
    throw new Error(`nothing is restored, the copy is not whole: ${why}; is the disk full?`, { cause: error })
  }
}

function foldLog(copy: string): void {
  withDatabase(copy, (database) => {
    const [done] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    if (done?.busy !== 0) throw new Error('its write-ahead log cannot be brought into it')
    const mode = database.pragma('journal_mode = DELETE', { simple: true })
    if (mode !== 'delete') throw new Error(`it keeps its write-ahead log (${String(mode)})`)
  })
  if (existsSync(`${copy}-wal`)) throw new Error('its write-ahead log is still there')
}

function requireChanges(copy: string, { reserved, sha256, at }: Changed): void {
  readDatabase(copy, (database) => {
    const rows = database.prepare('SELECT count(*) FROM reserved_numbers WHERE reserved_at = ?').pluck().get(at)
    if (Number(rows) < reserved) throw new Error(`it holds ${rows} of ${reserved} reserved ranges`)
    const entry = database.prepare(
      "SELECT 1 FROM audit_log WHERE action = 'database.restored' AND at = ? AND detail ->> '$.sha256' = ?",
    )
    if (!entry.get(at, sha256)) throw new Error('it does not hold the entry of the audit log')
  })
}
