import Database from 'better-sqlite3'
import { CamelCasePlugin, type Driver, Kysely, SqliteAdapter, SqliteDialect, type SqliteDialectConfig } from 'kysely'
import { Duplicate } from '../fiscal/store-port.ts'
import { asUnusable } from './damage.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/**
 * Opens the SQLite database and asserts what durability rests on: WAL silently brings `synchronous=NORMAL`, which may
 * lose the last commits with the power, so FULL is set and read back.
 * @param onTrouble told about every failure that is not a broken constraint: the disk, the file, a lock
 * @throws Error naming the file when it is no database or a setting did not take
 */
export function openDatabase(path: string, onTrouble: (error: unknown) => void = () => {}): Db {
  const sqlite = new Database(path)
  try {
    makeDurable(sqlite)
  } catch (error) {
    sqlite.close()
    throw asUnusable(new Error(`the database ${path} cannot keep sales safely`, { cause: error }))
  }
  return new Kysely<Tables>({
    dialect: new RollingBackOnce({ database: sqlite }, sqlite),
    plugins: [new CamelCasePlugin()],
    log: (event) => {
      if (event.level === 'error' && !codeOf(event.error).startsWith('SQLITE_CONSTRAINT')) onTrouble(event.error)
    },
  })
}

/** What every connection must have, by the names and values of SQLite. */
export const DURABLE = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }

/**
 * On a full disk SQLite ends a transaction by itself; to end it once more is an error, which would hide the one that
 * says why.
 */
class RollingBackOnce extends SqliteDialect {
  readonly #sqlite: Database.Database

  constructor(config: SqliteDialectConfig, sqlite: Database.Database) {
    super(config)
    this.#sqlite = sqlite
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollBack = driver.rollbackTransaction.bind(driver)
    driver.rollbackTransaction = async (connection) => {
      if (this.#sqlite.inTransaction) await rollBack(connection)
    }
    return driver
  }
}

/**
 * SQLite changes schemas in transactions as it does rows; kysely does not say so, and would migrate without one, so that
 * a power cut in the middle leaves half a schema.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function makeDurable(sqlite: Database.Database): void {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  // Nobody else writes here: the wait is for a stray reader's checkpoint, and it stops every other sale.
  sqlite.pragma('busy_timeout = 250')
  for (const [name, wanted] of Object.entries(DURABLE)) {
    const actual = sqlite.pragma(name, { simple: true })
    if (actual !== wanted) throw new Error(`SQLite ${name} is ${String(actual)} instead of ${wanted}`)
  }
}

/** Runs a write and tells a taken unique key from every other failure. */
export async function refusingDuplicates(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    const code = codeOf(error)
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') throw new Duplicate(error)
    throw error
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}
