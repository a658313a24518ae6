import Database from 'better-sqlite3'
import { CamelCasePlugin, type InsertQueryBuilder, type InsertResult, Kysely, sql, type UnknownRow } from 'kysely'
import { Duplicate } from '../../fiscal/ports/store.ts'
import { asUnusable } from '../shared/damage.ts'
import type { Tables } from '../shared/tables.ts'
import { WriterAndReader } from './dialect.ts'
import { type Run, registerRunners } from './synchronous-statements.ts'

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
    for (const setting of ofFleet ? OF_FLEET : OF_KIOSK) sqlite.pragma(setting)
  } catch (error) {
    sqlite.close()
    throw asUnusable(new Error(`the database ${path} cannot keep sales safely`, { cause: error }))
  }
  const note = (error: unknown) => {
    if (!codeOf(error).startsWith('SQLITE_CONSTRAINT')) onTrouble(error)
  }
  const dialect = new WriterAndReader(sqlite, () => openReader(path, ofFleet))
  const names = new Names()
  const db = new Kysely<Tables>({
    dialect,
    plugins: [names],
    log: (event) => {
      if (event.level === 'error') note(event.error)
    },
  })
  const asByKysely = (run: Run): Run => {
    return (query) => {
      // As kysely says it: a reader would open the file anew.
      if (dialect.isClosed) throw new Error('driver has already been destroyed')
      try {
        const result = run(query)
        return { ...result, rows: result.rows.map(names.ours) }
      } catch (error) {
        note(error)
        throw error
      }
    }
  }
  registerRunners(db, { read: asByKysely(dialect.ways.read), write: asByKysely(dialect.ways.write) })
  return db
}

/** snake_case in the database, camelCase here. */
class Names extends CamelCasePlugin {
  /** Of a row as SQLite gives it, nothing in which has names of its own. */
  readonly ours = (row: unknown): UnknownRow => {
    const named: UnknownRow = {}
    for (const [name, value] of Object.entries(row as UnknownRow)) named[this.camelCase(name)] = value
    return named
  }
}

/**
 * Ids of messages are random, so each new one is on another page of its index: these stay in memory, and are written back
 * once for many rows instead of once for each.
 */
const OF_FLEET = ['cache_size = -131072', 'wal_autocheckpoint = 32000']

/** Nobody else writes here: the wait is for a stray reader's checkpoint, and it stops every other sale. */
const BUSY_MS = 250

/** A kiosk has little memory, and sales are written where the ones before them were. */
const OF_KIOSK = ['cache_size = -4096']
/** What it remembers is stale with each commit. */
const READER_OF_KIOSK = 'cache_size = -1024'

/** What every connection must have, by the names and values of SQLite. */
export const DURABLE = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }

function openReader(path: string, ofFleet: boolean): Database.Database {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true })
  try {
    sqlite.pragma(`busy_timeout = ${BUSY_MS}`)
    if (!ofFleet) sqlite.pragma(READER_OF_KIOSK)
  } catch (error) {
    sqlite.close()
    throw error
  }
  return sqlite
}

/** @throws Error when a setting did not take */
export function makeDurable(sqlite: Database.Database): void {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma(`busy_timeout = ${BUSY_MS}`)
  for (const [name, wanted] of Object.entries(DURABLE)) {
    const actual = sqlite.pragma(name, { simple: true })
    if (actual !== wanted) throw new Error(`SQLite ${name} is ${String(actual)} instead of ${wanted}`)
  }
}

/** @throws Duplicate when a statement that inserts what is new, and nothing else, has inserted nothing */
export function requireInserted(rows: bigint | undefined): void {
  if (rows === 0n) throw new Duplicate()
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
  requireInserted(numInsertedOrUpdatedRows)
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
    await savepoint('ROLLBACK TO')?.catch(() => {
      // The whole transaction is gone: what took it along is what happened.
      throw error
    })
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

/** Revokes a row. Its first revocation counts. */
export async function revokeOnce(db: Db, table: 'apiKeys' | 'certificates', id: string, at: number): Promise<void> {
  await db.updateTable(table).set({ revokedAt: at }).where('id', '=', id).where('revokedAt', 'is', null).execute()
}
