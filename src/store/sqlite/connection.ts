import Database from 'better-sqlite3'
import {
  CamelCasePlugin,
  type CompiledQuery,
  type InsertQueryBuilder,
  type InsertResult,
  Kysely,
  type OnConflictBuilder,
  type QueryResult,
  sql,
} from 'kysely'
import { Duplicate } from '../../fiscal/ports/store.ts'
import { asUnusable } from '../shared/damage.ts'
import type { Tables } from '../shared/tables.ts'
import { WriterAndReader } from './dialect.ts'
import { registerRunners } from './synchronous-statements.ts'

export type Db = Kysely<Tables>

/**
 * Opens the SQLite database and checks the settings for durability: WAL silently sets `synchronous=NORMAL`, which may
 * lose the last commits in a power cut, so FULL is set and read back.
 * @param onTrouble called with every failure that is not a constraint violation: the disk, the file, a lock
 * @param ofFleet true when a whole fleet is stored there: a server has more memory than a kiosk
 * @throws Error naming the file when it is no database or a setting did not take
 */
export function openDatabase(path: string, onTrouble: (error: unknown) => void = () => {}, ofFleet = false): Db {
  const sqlite = new Database(path)
  try {
    const { pageBytes, logBytes, cacheKb } = ofFleet ? OF_FLEET : OF_KIOSK
    // Only an empty file takes it: a database keeps the size that it was made with.
    sqlite.pragma(`page_size = ${pageBytes}`)
    makeDurable(sqlite)
    // A letter with a link is removed once it is sent. FAST would leave it in pages that become free as a whole.
    sqlite.pragma('secure_delete = ON')
    sqlite.pragma(`cache_size = -${cacheKb}`)
    sqlite.pragma(`wal_autocheckpoint = ${Math.round(logBytes / pageSizeOf(sqlite))}`)
  } catch (error) {
    sqlite.close()
    throw asUnusable(new Error(`the database ${path} cannot keep sales safely`, { cause: error }))
  }
  const note = (error: unknown) => {
    if (!codeOf(error).startsWith('SQLITE_CONSTRAINT')) onTrouble(error)
  }
  const names = new Names()
  const dialect = new WriterAndReader(sqlite, () => openReader(path, ofFleet), names.ours)
  const db = new Kysely<Tables>({
    dialect,
    plugins: [names],
    log: (event) => {
      if (event.level === 'error') note(event.error)
    },
  })
  const asByKysely = <Q, P>(run: (query: Q, parameters: P) => QueryResult<unknown>) => {
    return (query: Q, parameters: P) => {
      // The same message as kysely's: a reader would open the file again.
      if (dialect.isClosed) throw new Error('driver has already been destroyed')
      try {
        return run(query, parameters)
      } catch (error) {
        note(error)
        throw error
      }
    }
  }
  const { read, write, query, ...ofWriter } = dialect.ways
  const runners = {
    read: asByKysely(read),
    write: asByKysely(write),
    query: asByKysely<CompiledQuery, void>(query),
    ...ofWriter,
  }
  registerRunners(db, runners, { config: { dialect }, driver: dialect.createDriver(), dialect })
  return db
}

/** snake_case in the database, camelCase here. */
class Names extends CamelCasePlugin {
  readonly ours = (column: string): string => this.camelCase(column)
}

/** What a database is like, and how long its log gets before its pages are written to their places. */
interface Layout {
  pageBytes: number
  logBytes: number
  cacheKb: number
}

/** A large cache keeps the pages of random ids in memory, to write them once for many rows instead of for each. */
const OF_FLEET: Layout = { pageBytes: 4096, logBytes: 131_072_000, cacheKb: 131_072 }

/** Milliseconds. No other process writes: the wait is for a reader's checkpoint, and it stops every other sale. */
const BUSY_MS = 250

/**
 * A kiosk has little memory, and its card bears a limited number of writes. A sale adds a few bytes to some forty tables
 * and indexes, and a page of each goes to the log: of small pages that is a third. The log is as long as its start can
 * read in a moment; a shorter one would write the same pages to their places more often (see `checkpointWhenQuiet`).
 */
const OF_KIOSK: Layout = { pageBytes: 1024, logBytes: 5_120_000, cacheKb: 4096 }
/** Small, because each commit makes the reader's cache invalid. */
const READER_OF_KIOSK = 'cache_size = -1024'

/** Settings of every connection, with the names and values of SQLite. */
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

const pageSizeOf = (sqlite: Database.Database) => Number(sqlite.pragma('page_size', { simple: true }))

/** @throws Error when a setting did not take effect */
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

export const unlessThere = <T extends keyof Tables>(conflict: OnConflictBuilder<Tables, T>) => conflict.doNothing()

/** @throws Duplicate when a statement that inserts only new rows has inserted nothing */
export function requireInserted(rows: bigint | undefined): void {
  if (rows === 0n) throw new Duplicate()
}

/** Needs no failed statement, after which PostgreSQL refuses all others. @throws Duplicate when nothing was inserted */
export async function insertNew<T extends keyof Tables>(
  query: InsertQueryBuilder<Tables, T, InsertResult>,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await query.onConflict(unlessThere).executeTakeFirstOrThrow()
  requireInserted(numInsertedOrUpdatedRows)
}

/** A failed write leaves no changes, and a transaction goes on. @throws Duplicate when a unique key is taken */
export async function refusingDuplicates(db: Db, write: () => Promise<unknown>): Promise<void> {
  const savepoint = (words: string) => (db.isTransaction ? sql.raw(`${words} one_write`).execute(db) : undefined)
  await savepoint('SAVEPOINT')
  try {
    await write()
  } catch (error) {
    await savepoint('ROLLBACK TO')?.catch(() => {
      // The whole transaction was rolled back: report the error that caused it.
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
