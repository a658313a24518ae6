import { existsSync, rmSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { isKnownMigration, NEWEST_SCHEMA } from '../sqlite/migrate.ts'
import { readDatabase } from '../sqlite/with-database.ts'
import { asUnusable, isDamage, MovedDatabase, NewerDatabase } from './damage.ts'
import { BACKUP, MOVE, MOVED_TO, PROGRAM } from './tables.ts'

/** What a database stores about the programs that made it. */
export interface Origin {
  /** Its schema changes, in order; empty when fiskd did not make the database. */
  migrations: string[]
  /** Version of the fiskd that used it last; null when none is stored. */
  program: string | null
  /** The server that its sales were moved to; null when they were not moved. */
  movedTo: string | null
  move: string | null
  /** It is a copy that `fisk backup` made and no restore has put in place. */
  isBackup: boolean
}

/** @throws as `readUnchanged` does */
export const readOrigin = (path: string): Origin => readUnchanged(path, originOf)

/**
 * Reads from a database without changing the file or the files beside it. No other process may open the database meanwhile:
 * the files that SQLite makes beside it for reading are removed.
 * @throws UnusableDatabase when the file is broken; Error of SQLite when it cannot be read without a change
 */
export function readUnchanged<T>(path: string, read: (database: Database.Database) => T): T {
  const beside = ['-wal', '-shm'].map((suffix) => path + suffix).filter((file) => !existsSync(file))
  try {
    return readDatabase(path, read)
  } catch (error) {
    throw asUnusable(error)
  } finally {
    for (const file of beside) if (isOnlyForReading(file)) rmSync(file, { force: true })
  }
}

/** A log that is not empty was not made by this read. */
const isOnlyForReading = (file: string) =>
  file.endsWith('-shm') || statSync(file, { throwIfNoEntry: false })?.size === 0

function originOf(database: Database.Database): Origin {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
  const factOf = (key: string) =>
    tables.includes('meta')
      ? database.prepare<[string], Buffer>('SELECT value FROM meta WHERE key = ?').pluck().get(key)?.toString('utf8')
      : undefined
  return {
    migrations: tables.includes('kysely_migration')
      ? database.prepare<[], string>('SELECT name FROM kysely_migration ORDER BY name').pluck().all()
      : [],
    program: factOf(PROGRAM) ?? null,
    movedTo: factOf(MOVED_TO) ?? null,
    move: factOf(MOVE) ?? null,
    isBackup: factOf(BACKUP) !== undefined,
  }
}

/** @throws NewerDatabase when this program does not know all of its schema changes; MovedDatabase */
export function refuseForeign({ migrations, program, movedTo }: Origin): void {
  if (movedTo !== null) throw new MovedDatabase(movedTo)
  const unknown = migrations.filter((name) => !isKnownMigration(name)).at(-1)
  if (unknown !== undefined) throw new NewerDatabase({ program, schema: unknown, known: NEWEST_SCHEMA })
}

/**
 * Refuses a database of a newer fiskd, and a moved one, before anything is changed.
 * @returns undefined for one that cannot be read without a change, which is not checked here
 * @throws NewerDatabase; MovedDatabase; UnusableDatabase when it is broken
 */
export function refuseForeignFile(path: string): Origin | undefined {
  let origin: Origin
  try {
    origin = readOrigin(path)
  } catch (error) {
    if (isDamage(error)) throw error
    return undefined
  }
  refuseForeign(origin)
  return origin
}
