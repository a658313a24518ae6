import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, createWriteStream, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { quickCheck } from '../store/quick-check.ts'
import { removeCopy } from './set-aside.ts'

/** The copy of a backup in which everything happens before it takes the place of the database. */
export const copyPath = (dataDir: string) => join(dataDir, 'fiskd.db.restoring')

/** Removes what a crash has left of a copy that was being restored. */
export function removeHalfRestore(dataDir: string): void {
  removeCopy(copyPath(dataDir))
}

/** For the copy, and for what is changed in it. @throws Error when there is less */
export function requireRoomFor(file: string, dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir)
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  const needed = 2 * sizes.reduce((sum, size) => sum + size, 0)
  if (bavail * bsize >= needed) return
  const room = `${megabytes(bavail * bsize)} are free and ${megabytes(needed)} are needed`
  throw new Error(`there is no room to restore ${file} in ${dataDir}: ${room}`)
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** With its write-ahead log, if it has one: so have databases that were set aside. @returns the file's SHA-256 */
export async function copyBackup(file: string, copy: string): Promise<string> {
  const hash = createHash('sha256')
  const hashed = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  const target = (path: string) => createWriteStream(path, { mode: 0o640, flags: 'wx' })
  await pipeline(createReadStream(file), hashed, target(copy))
  chmodSync(copy, 0o640)
  if (existsSync(`${file}-wal`)) await pipeline(createReadStream(`${file}-wal`), target(`${copy}-wal`))
  return hash.digest('hex')
}

/** What was changed in the copy, to be found there again. */
export interface Changed {
  reserved: number
  /** Of the audit entry. */
  sha256: string
  at: number
}

/**
 * Brings everything into the one file that takes the place, and reads it back: on a full disk SQLite leaves it in the
 * write-ahead log and says nothing.
 * @throws Error when the file does not hold all of it
 */
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
  const database = new Database(copy, { fileMustExist: true })
  try {
    const [done] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    if (done?.busy !== 0) throw new Error('its write-ahead log cannot be brought into it')
    const mode = database.pragma('journal_mode = DELETE', { simple: true })
    if (mode !== 'delete') throw new Error(`it keeps its write-ahead log (${String(mode)})`)
  } finally {
    database.close()
  }
  if (existsSync(`${copy}-wal`)) throw new Error('its write-ahead log is still there')
}

function requireChanges(copy: string, { reserved, sha256, at }: Changed): void {
  const database = new Database(copy, { readonly: true, fileMustExist: true })
  try {
    const rows = database.prepare('SELECT count(*) FROM reserved_numbers WHERE reserved_at = ?').pluck().get(at)
    if (Number(rows) < reserved) throw new Error(`it holds ${rows} of ${reserved} reserved ranges`)
    const entry = database.prepare(
      "SELECT 1 FROM audit_log WHERE action = 'database.restored' AND at = ? AND detail ->> '$.sha256' = ?",
    )
    if (!entry.get(at, sha256)) throw new Error('it does not hold the entry of the audit log')
  } finally {
    database.close()
  }
}
