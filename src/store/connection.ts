import Database from 'better-sqlite3'
import {
  CamelCasePlugin,
  type Driver,
  type InsertQueryBuilder,
  type InsertResult,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  sql,
} from 'kysely'
import { Duplicate } from '../fiscal/store-port.ts'
import { asUnusable } from './damage.ts'
import { preparingOnce } from './statements.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/**
 * Opens the SQLite database and asserts what durability rests on: WAL silently brings `synchronous=NORMAL`, which may
 * lose the last commits with the power, so FULL is set and read back.
 * @param onTrouble told about every failure that is not a broken constraint: the disk, the file, a lock
 * @param ofFleet a whole fleet is stored there: a server has more memory than a kiosk
 * @throws Error naming the file when it is no database or a setting did not take
 */
export function openDatabase(path: string, onTrouble: (error: unknown) => void = () => {}, ofFleet = false): Db {
  const sqlite = new Database(path)
  try {
    makeDurable(sqlite)
    if (ofFleet) for (const setting of OF_FLEET) sqlite.pragma(setting)
  } catch (error) {
    sqlite.close()
    throw asUnusable(new Error(`the database ${path} cannot keep sales safely`, { cause: error }))
  }
  return new Kysely<Tables>({
    dialect: new RollingBackOnce({ database: preparingOnce(sqlite) }, sqlite),
    plugins: [new CamelCasePlugin()],
    log: (event) => {
      if (event.level === 'error' && !codeOf(event.error).startsWith('SQLITE_CONSTRAINT')) onTrouble(event.error)
    },
  })
}

/**
 * Ids of messages are random, so each new one is on another page of its index: these stay in memory, and are written back
 * once for many rows instead of once for each.
 */
const OF_FLEET = ['cache_size = -131072', 'wal_autocheckpoint = 32000']

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

/** @throws Error when a setting did not take */
export function makeDurable(sqlite: Database.Database): void {
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

/**
 * Inserts rows, and tells a taken unique key from every other failure without failing: after a statement that fails
 * PostgreSQL does no other one in its transaction.
 * @throws Duplicate when nothing was inserted
 */
export async function insertNew<T extends keyof Tables>(
  query: InsertQueryBuilder<Tables, T, InsertResult>,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await query
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw new Duplicate()
}

/**
 * Runs a write that may take a unique key, in a transaction or by itself; of one that fails nothing is left, and the
 * transaction goes on.
 * @throws Duplicate when the key is taken
 */
export async function refusingDuplicates(db: Db, write: () => Promise<unknown>): Promise<void> {
  const savepoint = (words: string) => (db.isTransaction ? sql.raw(`${words} one_write`).execute(db) : undefined)
  await savepoint('SAVEPOINT')
  try {
    await write()
  } catch (error) {
    await savepoint('ROLLBACK TO')
    throw isTaken(error) ? new Duplicate(error) : error
  }
  await savepoint('RELEASE')
}

const isTaken = (error: unknown) =>
  ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'].includes(codeOf(error))

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}
