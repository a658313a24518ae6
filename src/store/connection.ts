import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely'
import { Duplicate } from '../fiscal/store-port.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/**
 * Opens the SQLite database and asserts what durability rests on: WAL silently brings `synchronous=NORMAL`, which may
 * lose the last commits with the power, so FULL is set and read back.
 * @throws Error naming the file when it is no database or a setting did not take
 */
export function openDatabase(path: string): Db {
  const sqlite = new Database(path)
  try {
    makeDurable(sqlite)
  } catch (error) {
    sqlite.close()
    throw new Error(`the database ${path} cannot keep sales safely`, { cause: error })
  }
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }), plugins: [new CamelCasePlugin()] })
}

function makeDurable(sqlite: Database.Database): void {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  // Nobody else writes here: the wait is for a stray reader's checkpoint, and it stops every other sale.
  sqlite.pragma('busy_timeout = 250')
  const settings = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }
  for (const [name, wanted] of Object.entries(settings)) {
    const actual = sqlite.pragma(name, { simple: true })
    if (actual !== wanted) throw new Error(`SQLite ${name} is ${String(actual)} instead of ${wanted}`)
  }
}

/** Runs an insert and tells a taken unique key from every other failure. */
export async function insertUnique(insert: Promise<unknown>): Promise<void> {
  try {
    await insert
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') throw new Duplicate(error)
    throw error
  }
}
