import { existsSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isKnownMigration, NEWEST_SCHEMA } from '../sqlite/migrate.ts'
import { asUnusable, isDamage, MovedDatabase, NewerDatabase } from './damage.ts'
import { MOVE, MOVED_TO, PROGRAM } from './tables.ts'

/** What a database says of the programs that made it. */
export interface Origin {
  /** Its schema changes, in order; none in a database of others. */
  migrations: string[]
  /** Version of the fiskd that used it last; null where none wrote it down. */
  program: string | null
  /** The server that its sales were moved to; null where they were not. */
  movedTo: string | null
  /** Which move that was. */
  move: string | null
}

/**
 * Reads it without changing anything, neither the file nor what lies beside it. Nobody else may be about to open the
 * database: what SQLite makes beside it for reading is removed.
 * @throws UnusableDatabase when it is broken; Error of SQLite when it cannot be read without being changed
 */
export function readOrigin(path: string): Origin {
  const beside = ['-wal', '-shm'].map((suffix) => path + suffix).filter((file) => !existsSync(file))
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true })
    try {
      return originOf(database)
    } finally {
      database.close()
    }
  } catch (error) {
    throw asUnusable(error)
  } finally {
    for (const file of beside) if (isOnlyForReading(file)) rmSync(file, { force: true })
  }
}

/** A log with something in it is not ours. */
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
  }
}

/**
 * @throws NewerDatabase when this program does not know all of its schema changes; MovedDatabase when its sales are
 *   elsewhere
 */
export function refuseForeign({ migrations, program, movedTo }: Origin): void {
  if (movedTo !== null) throw new MovedDatabase(movedTo)
  const unknown = migrations.filter((name) => !isKnownMigration(name)).at(-1)
  if (unknown !== undefined) throw new NewerDatabase({ program, schema: unknown, known: NEWEST_SCHEMA })
}

/**
 * Refuses a database of a newer fiskd, and one that was moved, before anything of it is touched. One that cannot be read without being changed is
 * left to whoever opens it.
 * @throws NewerDatabase; MovedDatabase; UnusableDatabase when it is broken
 */
export function refuseForeignFile(path: string): void {
  let origin: Origin
  try {
    origin = readOrigin(path)
  } catch (error) {
    if (isDamage(error)) throw error
    return
  }
  refuseForeign(origin)
}
