import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { DatabaseCopy } from '../../../fiscal/ports/database-maintenance.ts'
import { BACKUP, backupMark } from '../../shared/tables.ts'
import { runQuickCheck } from '../with-database.ts'
import { answerParent } from './answer-parent.ts'

const STEP_BYTES = 1024 * 1024
const PAUSE_MS = 2
const READ_BYTES = 1024 * 1024

/** Returns facts about the copy only when the copy is undamaged. */
export async function copyDatabase(task: {
  source: string
  target: string
}): Promise<{ problems: string[]; facts: DatabaseCopy }> {
  await copy(task)
  const { problems, ...content } = checkCopy(task.target)
  return { problems, facts: { ...syncAndHash(task.target), ...content } }
}

/** One read transaction keeps the state to copy, while sales go on in the log; the pauses leave the disk to them. */
async function copy({ source: path, target }: { source: string; target: string }): Promise<void> {
  const still = new Int32Array(new SharedArrayBuffer(4))
  const source = new Database(path, { readonly: true, fileMustExist: true })
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_master').get()
  const pages = Math.ceil(STEP_BYTES / Number(source.pragma('page_size', { simple: true })))
  const progress = () => {
    Atomics.wait(still, 0, 0, PAUSE_MS)
    return pages
  }
  await source.backup(target, { progress })
  source.close()
}

/** Switches the copy out of WAL mode, so that it is one file, and marks it: it is no database to sell on. */
function checkCopy(path: string) {
  const database = new Database(path, { fileMustExist: true })
  database.pragma('journal_mode = DELETE')
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(BACKUP, backupMark(Date.now()))
  const problems = runQuickCheck(database)
  const one = <T>(statement: string) => database.prepare<[], T>(statement).pluck().get()
  const isWhole = problems.length === 0
  const invoices = (isWhole && one<number>('SELECT count(*) FROM invoices')) || 0
  const newest = isWhole && one<number>('SELECT created_at FROM invoices ORDER BY id DESC LIMIT 1')
  database.close()
  return { problems, invoices, newestInvoiceAt: newest || null }
}

function syncAndHash(path: string): { bytes: number; sha256: string } {
  const file = openSync(path, 'r')
  fsyncSync(file)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(READ_BYTES)
  let read = readSync(file, buffer)
  while (read > 0) {
    hash.update(buffer.subarray(0, read))
    read = readSync(file, buffer)
  }
  const bytes = fstatSync(file).size
  closeSync(file)
  return { bytes, sha256: hash.digest('hex') }
}

await answerParent(copyDatabase)
