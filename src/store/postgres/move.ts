import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { aggregates } from '../shared/aggregates.ts'
import { UnusableDatabase } from '../shared/damage.ts'
import { metaFacts } from '../shared/meta.ts'
import { OFFICE } from '../shared/schema/office.ts'
import { REGISTRY } from '../shared/schema/registry.ts'
import { SALES } from '../shared/schema/sales.ts'
import { SYNC } from '../shared/schema/sync.ts'
import { MOVE, MOVED_TO, PROGRAM } from '../shared/tables.ts'
import { type Db, makeDurable } from '../sqlite/connection.ts'
import { salesOnSqlite } from '../sqlite/sales.ts'
import { whileOpening } from './advisory-locks.ts'
import { cannotBeOpened, readCommitted } from './connection.ts'
import { changesOf, migrateToLatest } from './migrate.ts'
import { openPool } from './pool.ts'
import { schemaProblems } from './schema-check.ts'

/** The `application_name` of a move: every other fiskd has to be stopped. */
const MOVER = 'fiskd move'

export interface MoveOrder {
  /** Path of the SQLite database, which has this program's schema; no other process may use it. */
  path: string
  url: string
  /** A different id for each move: it identifies the two databases of an interrupted move. */
  id: string
  /** Checks the copy before it is committed. @returns the problems found */
  verify(copy: Pick<Store, keyof ReturnType<typeof aggregates> | 'transaction'>): Promise<string[]>
}

export type Moved = Record<string, number>

/**
 * Copies a SQLite database into an empty PostgreSQL database, in one transaction, and marks the file as moved. An
 * interrupted move never leaves both usable for sales: the copy is locked until the file is marked.
 * @throws Error that says what to do; the file is then unchanged, and the other database empty
 */
export async function moveToServer({ path, url, id, verify }: MoveOrder): Promise<Moved> {
  return onServer(url, async (db) => {
    await requireEmpty(db, url)
    await migrateToLatest(db)
    const problems = await schemaProblems(db)
    if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
    const source = new Database(path, { fileMustExist: true })
    try {
      // The mark has to be on the disk before the copy is unlocked, or both could issue sales after a power cut.
      makeDurable(source)
      // A process that opens the file in spite of the checks cannot write meanwhile.
      source.exec('BEGIN IMMEDIATE')
      const moved = await copy(source, db, id, verify)
      const mark = source.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
      mark.run(MOVED_TO, Buffer.from(describeDatabaseUrl(url)))
      mark.run(MOVE, Buffer.from(id))
      source.exec('COMMIT')
      await unlock(db)
      return moved
    } finally {
      source.close()
    }
  })
}

/** Unlocks the copy of a move that was interrupted after the file was marked. @throws Error for another database */
export async function finishMove(url: string, id: string): Promise<void> {
  await onServer(url, async (db) => {
    const known = (await changesOf(db)).length > 0 && (await moveOf(db))
    if (known !== id) throw new Error(`the database was moved before, and not to ${describeDatabaseUrl(url)}`)
    await unlock(db)
  })
}

/** @returns the id of the unfinished move into this database; undefined when there is none */
export const moveOf = async (db: Db): Promise<string | undefined> => (await metaFacts(db).get(MOVE))?.toString()

const unlock = (db: Db) => metaFacts(db).remove(MOVE)

async function onServer<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db } = openPool(url, undefined, MOVER)
  try {
    return await whileOpening(db, () => work(db))
  } catch (error) {
    throw cannotBeOpened(url, error)
  } finally {
    await db.destroy()
  }
}

async function requireEmpty(db: Db, url: string): Promise<void> {
  const where = describeDatabaseUrl(url)
  const { rows: others } = await sql`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND application_name LIKE 'fiskd%' AND application_name <> ${MOVER}`.execute(db)
  if (others.length > 0) throw new Error(`another fiskd uses the database ${where}: stop it first`)
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`.execute(db)
  const ours = (await changesOf(db)).length > 0
  const full: string[] = []
  for (const { name } of tables) {
    if (name.startsWith('kysely_')) continue
    const { rows } = await sql<{ found: boolean }>`SELECT EXISTS (
      SELECT 1 FROM ${sql.ref(name)} ${sql.raw(ours && name === 'tenants' ? "WHERE id <> 'default'" : '')}) AS found`.execute(
      db,
    )
    if (!ours || (rows[0]?.found === true && name !== 'meta')) full.push(name)
  }
  if (full.length > 0) {
    throw new Error(
      `the database ${where} is not empty (${full.slice(0, 3).join(', ')}): make another one, with createdb`,
    )
  }
}

async function copy(source: Database.Database, db: Db, id: string, verify: MoveOrder['verify']): Promise<Moved> {
  const moved: Moved = {}
  await readCommitted(db, async (trx) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
    await trx.deleteFrom('tenants').execute()
    await trx.deleteFrom('meta').execute()
    for (const table of MOVED_TABLES) moved[table] = await copyTable(source, trx, table)
    await trx.deleteFrom('meta').where('key', 'in', [PROGRAM, 'trial_write']).execute()
    await metaFacts(trx).put(MOVE, Buffer.from(id))
    const tx = aggregates(trx, salesOnSqlite)
    // Nobody else changes the copy, and this transaction has begun to read.
    const still = { ...tx, subjects: { ...tx.subjects, freeze: async () => {} } }
    const problems = await verify({ ...still, transaction: (work) => work(still) })
    if (problems.length > 0) throw new Error(`the copy is not what it was made of: ${problems.join('; ')}`)
  })
  return moved
}

/** The tables that are not moved: they concern one process, belong to a gateway, or follow from the invoices. */
export const LEFT_TABLES: readonly string[] = [
  'turnover',
  'leases',
  'outbox',
  'outbox_gap',
  'sync_enrolment',
  'sync_refusals',
  'received_commands',
]

/** The tables to move, in the order in which they are made, which is that of their foreign keys. */
export const MOVED_TABLES = [...REGISTRY, ...SALES, ...OFFICE, ...SYNC]
  .flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [])
  .filter((table) => !LEFT_TABLES.includes(table))

type Row = Record<string, unknown>

const BATCH = 500

/** Copies a table, reads each row back and compares it. @returns how many rows were copied */
async function copyTable(source: Database.Database, db: Db, table: string): Promise<number> {
  const columns = source.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const insert = async (rows: Row[]) => {
    const values = rows.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`)
    const { rows: stored } = await sql<Row>`
      INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)} RETURNING ${names}`.execute(
      db.withoutPlugins(),
    )
    for (const [i, row] of rows.entries()) requireSame(table, columns, row, stored[i])
    // Lets the process handle signals.
    await setImmediate()
  }
  let [count, batch]: [number, Row[]] = [0, []]
  for (const row of source.prepare<[], Row>(`SELECT * FROM ${table}`).iterate()) {
    batch.push(row)
    count++
    if (batch.length < BATCH) continue
    await insert(batch)
    batch = []
  }
  if (batch.length > 0) await insert(batch)
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(db)
  if (counted.rows[0]?.count !== count) throw new Error(`of ${count} rows of ${table} others were stored`)
  return count
}

function requireSame(table: string, columns: string[], row: Row, stored: Row | undefined): void {
  const differing = columns.find((name) => !isSame(row[name], stored?.[name]))
  if (differing !== undefined) throw new Error(`a row of ${table} came back with another ${differing}`)
}

const isSame = (one: unknown, other: unknown) =>
  Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other
