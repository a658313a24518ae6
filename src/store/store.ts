import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import { createKeyedLock } from '../domain/keyed-lock.ts'
import { MESSAGE_ARCHIVE } from '../domain/sale/message-reading-limits.ts'
import type { DatabaseCare, DatabaseCopy } from '../fiscal/ports/database-maintenance.ts'
import { diskFaultOf } from '../fiscal/ports/disk-fault.ts'
import { localInvoiceLock } from '../fiscal/ports/invoice-lock.ts'
import { ALONE } from '../fiscal/ports/own-process.ts'
import type { RehearsalStore } from '../fiscal/ports/rehearsal.ts'
import { DEFAULT_TENANT } from '../fiscal/ports/rows/access.ts'
import { NEVER_AWAY, type StoreTransaction } from '../fiscal/ports/store.ts'
import { isPostgresUrl } from './database-url.ts'
import { makeDefaultTenant, type OpenStore, openedStore } from './open-store.ts'
import type { ServerOptions } from './postgres/server.ts'
import { aggregates, aggregatesInUse } from './shared/aggregates.ts'
import { asUnusable, isDamage, UnusableDatabase } from './shared/damage.ts'
import { unpack } from './shared/unpack-messages.ts'
import { type Child, startChild } from './sqlite/child-processes/start-child.ts'
import { type Db, DURABLE, openDatabase } from './sqlite/connection.ts'
import { groupCommit } from './sqlite/group-commit.ts'
import { migrateToLatest } from './sqlite/migrate.ts'
import { quickCheck } from './sqlite/quick-check.ts'
import { checkpointWhenQuiet } from './sqlite/quiet-checkpoint.ts'
import { salesOnSqlite } from './sqlite/sales.ts'
import { schemaProblems } from './sqlite/schema-check.ts'
import { inTransaction } from './sqlite/synchronous-statements.ts'

export { DEFAULT_TENANT, type OpenStore }

export interface OpenOptions extends Omit<ServerOptions, 'onReplaced'> {
  /** Called when SQLite found the file broken, or another database is in the place of this one: it cannot be used. */
  onBroken?: (problem: string) => void
  /** Called when the disk has refused a write or a flush: what was read before may not be what is on it. */
  onRefusedWrite?: (error: unknown) => void
  /** True when a whole fleet is stored there: SQLite may then use more memory. */
  ofFleet?: boolean
}

/**
 * Opens a database, brings its schema up to date and makes the default tenant.
 * @param database path of a SQLite database, which is made if it does not exist, or `postgres://...`
 * @throws UnusableDatabase when the database is broken or has another schema; Error when it cannot be reached, or
 *   cannot store sales safely
 */
export async function openStore(database: string, now: number, options: OpenOptions = {}): Promise<OpenStore> {
  const { onBroken = () => {}, onRefusedWrite = () => {}, ofFleet = false, ...ofServer } = options
  if (!isPostgresUrl(database)) return openFile(database, now, { onBroken, onRefusedWrite, ofFleet })
  // A gateway never loads the driver.
  const { openServer } = await import('./postgres/server.ts')
  return openServer(database, now, { ...ofServer, onReplaced: onBroken })
}

async function openFile(
  path: string,
  now: number,
  { onBroken, onRefusedWrite, ofFleet }: Required<Pick<OpenOptions, 'onBroken' | 'onRefusedWrite' | 'ofFleet'>>,
): Promise<OpenStore> {
  const trouble = { suspected: false }
  const note = (error: unknown) => {
    trouble.suspected = true
    if (isDamage(error)) onBroken(String(error))
    else if (diskFaultOf(error) === 'refuses_writes') onRefusedWrite(error)
  }
  const db = openDatabase(path, note, ofFleet)
  try {
    await migrateToLatest(db)
    const problems = await schemaProblems(db)
    if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
    await makeDefaultTenant(db, now)
    // Otherwise each sale's savepoint would need a file in the system's temporary folder, on a disk that may be full.
    // An index of a large table is made before this, and may need that space.
    await sql`PRAGMA temp_store = MEMORY`.execute(db)
  } catch (error) {
    await db.destroy()
    throw asUnusable(error)
  }
  const care = databaseMaintenance(db, path)
  // A server has a log of a hundred megabytes, and a process of its own for it.
  const quiet = ofFleet ? undefined : await checkpointWhenQuiet(db)
  const transaction: OpenStore['transaction'] = groupCommit(db, quiet?.committed)
  let checkpoints: ReturnType<typeof keepCheckpointed> | undefined
  const single = aggregates(db, salesOnSqlite)
  return openedStore(db, trouble, {
    sales: { ...single.sales, storeOutcome: (attempt) => transaction((tx) => tx.sales.storeOutcome(attempt)) },
    transaction,
    ingest(_source, work) {
      if (ofFleet) checkpoints ??= keepCheckpointed(path)
      return transaction(work)
    },
    invoiceLock: localInvoiceLock(),
    receiptLock: createKeyedLock(),
    ownProcess: ALONE,
    isShared: false,
    reach: NEVER_AWAY,
    care,
    rehearsal: rehearsalOn(db),
    // The file of an open database is always the same.
    witness: (compare) => transaction(compare),
    async close() {
      quiet?.stop()
      await care.close()
      await checkpoints?.stop()
      await db.destroy()
    },
  })
}

/**
 * Runs checkpoints of the SQLite log in its own process: in a large database each takes half a second, in which a sale
 * would wait. When the process fails, SQLite runs the checkpoint itself once the log is long.
 */
function keepCheckpointed(path: string): { stop(): Promise<void> } {
  const { result, stop } = startChild('keep-checkpointed', { path, parent: process.pid })
  result.catch(() => {})
  return { stop }
}

/** @param path of the database behind `db` */
function databaseMaintenance(db: Db, path: string): DatabaseCare & { close(): Promise<void> } {
  const underWay = new Set<Child<unknown>>()

  async function whole<T>(aside: Child<T>): Promise<T> {
    underWay.add(aside)
    try {
      const result = await aside.result
      if (result === undefined) throw new Error('the database was closed meanwhile')
      return result
    } finally {
      underWay.delete(aside)
    }
  }

  return {
    server: null,
    fileProblems() {
      const { problems, stop } = quickCheck(path)
      return whole({ result: problems, stop })
    },
    async checkpoint() {
      await sql`PRAGMA wal_checkpoint(FULL)`.execute(db)
    },
    schemaProblems: () => schemaProblems(db),
    durabilityDefaults: async () => [],
    standby: async () => 'none',
    async durabilityProblems() {
      const problems: string[] = []
      for (const [name, wanted] of Object.entries(DURABLE)) {
        const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)
        const actual = Object.values(rows[0] ?? {})[0]
        if (actual !== wanted) problems.push(`${name} is ${String(actual)} instead of ${wanted}`)
      }
      return problems
    },
    contradictions: () => whole(startChild('find-contradictions', { path })),
    backUp: (target) => whole<DatabaseCopy>(copyDatabase(path, target)),
    async close() {
      await Promise.all([...underWay].map((aside) => aside.stop()))
    },
  }
}

/**
 * Copies a database that is in use into one file and checks the copy by opening it.
 * @throws UnusableDatabase when the copy is damaged; Error when it could not be made. A partial copy is not removed
 */
function copyDatabase(source: string, target: string): Child<DatabaseCopy> {
  const { result, stop } = startChild('copy-database', { source, target })
  return { result: result.then((copied) => copied && checked(copied, target), asUnusableCopy), stop }
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

/** A long outage leaves many messages without an answer. */
const LATEST = 100

class RolledBack extends Error {}

/** A sale's statements without a sale. A rollback writes no page: changed ones never leave the memory of SQLite. */
function rehearsalOn(db: Db): RehearsalStore {
  return {
    async rolledBack<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
      const done: T[] = []
      const run = inTransaction(db, async (trx) => {
        done.push(await work(aggregatesInUse(trx, salesOnSqlite)))
        throw new RolledBack()
      })
      await run.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
      return done[0] as T
    },
    async latestAnswer() {
      const latest = db
        .selectFrom('messages')
        .select(['id', 'invoiceId', 'messageUuid', 'errorCode', 'responseXml'])
        .orderBy('id', 'desc')
        .limit(LATEST)
      const row = await db
        .selectFrom(latest.as('latest'))
        .innerJoin('invoices', 'invoices.id', 'latest.invoiceId')
        .select(['invoices.deviceId', 'invoices.mode', 'latest.messageUuid as messageId', 'latest.responseXml'])
        .where('latest.errorCode', 'is', null)
        .where('latest.responseXml', 'is not', null)
        .where('invoices.jir', 'is not', null)
        .orderBy('latest.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (!row?.responseXml) return undefined
      const { responseXml, ...facts } = row
      const unpacked = await unpack(responseXml, MESSAGE_ARCHIVE.textBytes)
      return unpacked && { ...facts, xml: unpacked.text }
    },
  }
}
