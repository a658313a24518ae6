import { existsSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { asUnusable, isDamage, NewerDatabase } from './damage.ts'
import { isKnownMigration, NEWEST_SCHEMA } from './migrate.ts'
import { PROGRAM } from './tables.ts'

/** What a database says of the programs that made it. */
export interface Origin {
  /** Its schema changes, in order; none in a database of others. */
  migrations: string[]
  /** Version of the fiskd that used it last; null where none wrote it down. */
  program: string | null
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
  const program = tables.includes('meta')
    ? database.prepare<[string], Buffer>('SELECT value FROM meta WHERE key = ?').pluck().get(PROGRAM)
    : undefined
  return {
    migrations: tables.includes('kysely_migration')
      ? database.prepare<[], string>('SELECT name FROM kysely_migration ORDER BY name').pluck().all()
      : [],
    program: program?.toString('utf8') ?? null,
  }
}

/** @throws NewerDatabase when this program does not know all of its schema changes */
export function refuseNewer({ migrations, program }: Origin): void {
  const unknown = migrations.filter((name) => !isKnownMigration(name)).at(-1)
  if (unknown !== undefined) throw new NewerDatabase({ program, schema: unknown, known: NEWEST_SCHEMA })
}

/**
 * Refuses a database of a newer fiskd before anything of it is touched. One that cannot be read without being changed is
 * left to whoever opens it.
 * @throws NewerDatabase; UnusableDatabase when it is broken
 */
export function refuseNewerFile(path: string): void {
  let origin: Origin
  try {
    origin = readOrigin(path)
  } catch (error) {
    if (isDamage(error)) throw error
    return
  }
  refuseNewer(origin)
}
