import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely'
import type { DatabaseCopy } from '../../fiscal/ports/database-maintenance.ts'
import { isDamage, UnusableDatabase } from '../shared/damage.ts'
import { type ChildScript, runChildScript } from './child-script.ts'
import type { Db } from './connection.ts'
import { schemaProblems } from './schema-check.ts'

/**
 * One read transaction holds the moment of the copy still, while sales go on in the write-ahead log; the pause between
 * two steps leaves the disk to them. The copy leaves WAL mode, so that it is one file.
 */
const COPY = `
  const { createHash } = require('node:crypto')
  const { closeSync, fstatSync, fsyncSync, openSync, readSync } = require('node:fs')
  const PAGES = 256
  const PAUSE_MS = 2
  const still = new Int32Array(new SharedArrayBuffer(4))

  const source = new Database(data.source, { readonly: true, fileMustExist: true })
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_master').get()
  const progress = () => {
    Atomics.wait(still, 0, 0, PAUSE_MS)
    return PAGES
  }
  await source.backup(data.target, { progress })
  source.close()

  const copy = new Database(data.target, { fileMustExist: true })
  copy.pragma('journal_mode = DELETE')
  const problems = copy.pragma('quick_check(10)').map((row) => row.quick_check).filter((row) => row !== 'ok')
  const whole = problems.length === 0
  const invoices = whole ? copy.prepare('SELECT count(*) FROM invoices').pluck().get() : 0
  const newest = whole && copy.prepare('SELECT created_at FROM invoices ORDER BY id DESC LIMIT 1').pluck().get()
  copy.close()

  const file = openSync(data.target, 'r')
  fsyncSync(file)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(1024 * 1024)
  for (let read; (read = readSync(file, buffer, 0, buffer.length, null)) > 0; ) hash.update(buffer.subarray(0, read))
  const bytes = fstatSync(file).size
  closeSync(file)
  return { problems, facts: { bytes, sha256: hash.digest('hex'), invoices, newestInvoiceAt: newest || null } }
`

/**
 * Copies a database that is in use into one file and checks the copy by opening it.
 * @throws UnusableDatabase when the copy is not whole; Error when it could not be made. What there is of it stays
 */
export function copyDatabase(source: string, target: string): ChildScript<DatabaseCopy> {
  const { said, stop } = runChildScript<{ problems: string[]; facts: DatabaseCopy }>(COPY, { source, target })
  return { said: said.then((copied) => copied && checked(copied, target), asUnusableCopy), stop }
}

async function checked(copied: { problems: string[]; facts: DatabaseCopy }, target: string): Promise<DatabaseCopy> {
  if (copied.problems.length > 0) throw new UnusableDatabase(copied.problems, { damaged: true })
  const database = new Database(target, { readonly: true, fileMustExist: true })
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  try {
    const problems = await schemaProblems(db)
    if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
    return copied.facts
  } finally {
    await db.destroy()
  }
}

function asUnusableCopy(error: unknown): never {
  if (isDamage(error)) throw new UnusableDatabase([(error as Error).message], { damaged: true, cause: error })
  throw error
}
