import { sql } from 'kysely'
import { isPostgresUrl } from '../domain/database-url.ts'
import { createKeyedLock } from '../domain/keyed-lock.ts'
import { diskFaultOf } from '../fiscal/ports/disk-fault.ts'
import { DEFAULT_TENANT } from '../fiscal/ports/rows/access.ts'
import { ALONE, localInvoiceLock, NEVER_AWAY } from '../fiscal/ports/store.ts'
import { type Kind, makeDefaultTenant, type OpenStore, openedStore } from './open-store.ts'
import type { ServerOptions } from './postgres/server.ts'
import { aggregates } from './shared/aggregates.ts'
import { asUnusable, isDamage, UnusableDatabase } from './shared/damage.ts'
import { startChild } from './sqlite/child-processes/start-child.ts'
import { openDatabase } from './sqlite/connection.ts'
import { groupCommit } from './sqlite/group-commit.ts'
import { databaseMaintenance } from './sqlite/maintenance.ts'
import { migrateToLatest } from './sqlite/migrate.ts'
import { checkpointWhenQuiet } from './sqlite/quiet-checkpoint.ts'
import { rehearsalOn } from './sqlite/rehearsal.ts'
import { salesOnSqlite } from './sqlite/sales.ts'
import { schemaProblems } from './sqlite/schema-check.ts'

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
  const kind: Kind = {
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
  }
  return openedStore(db, kind, trouble)
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
