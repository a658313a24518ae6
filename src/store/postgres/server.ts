import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import { NEVER_AWAY } from '../../fiscal/ports/database-reach.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { describePostgresUrl } from '../database-url.ts'
import { makeDefaultTenant, type OpenStore, openedStore } from '../open-store.ts'
import { aggregates } from '../shared/aggregates.ts'
import { UnusableDatabase } from '../shared/damage.ts'
import { namedLocks } from '../shared/processes/named-locks.ts'
import { mayBeRepeated, openPool } from './connection.ts'
import { ingestLock, openLocks, TRANSACTION } from './locks.ts'
import { serverMaintenance } from './maintenance.ts'
import { migrateToLatest } from './migrate.ts'
import { moveOf } from './move.ts'
import { salesOnPostgres } from './sales.ts'
import { schemaProblems } from './schema-check.ts'

const HALF_MOVED = 'the move of a database into it has not come to its end: run fisk migrate-store again'

/** How many times work is tried that fails with a deadlock or a serialization failure. */
const MOST_TRIES = 5

/**
 * Opens a PostgreSQL database for one of the processes that share it.
 * @param onLost called when this process has to end because it lost its locks
 * @throws Error that names the server when it cannot be reached; as `openStore` does
 */
export async function openServer(url: string, now: number, onLost: (problem: string) => void): Promise<OpenStore> {
  const trouble = { suspected: false }
  const locks = await openLocks(url, onLost).catch((error: Error) => {
    const fix = 'see whether it runs, and FISKD_DATABASE_URL'
    throw new Error(`the database ${describePostgresUrl(url)} cannot be opened: ${error.message}; ${fix}`, {
      cause: error,
    })
  })
  const db = openPool(url, () => {
    trouble.suspected = true
  })
  const close = async () => {
    await db.destroy()
    await locks.close()
  }
  const prepare = async () => {
    await migrateToLatest(db)
    if (await moveOf(db)) throw new UnusableDatabase([HALF_MOVED], { damaged: false })
    const problems = await schemaProblems(db)
    if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
    await makeDefaultTenant(db, now)
  }
  try {
    // Several processes may start at once on an empty database.
    await locks.whileOpening(prepare)
  } catch (error) {
    await close()
    throw error
  }

  const underLock = <T>(lock: string, work: (tx: StoreTransaction) => Promise<T>) =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(${lock}::bigint)`.execute(trx)
        return work(aggregates(trx, salesOnPostgres))
      })
  // Work that waits for other transactions of this process takes no connection meanwhile.
  const turn = createKeyedLock()

  return openedStore(db, trouble, {
    sales: aggregates(db, salesOnPostgres).sales,
    transaction: (work) => turn.run('transaction', () => repeating(() => underLock(TRANSACTION, work))),
    ingest(source, work) {
      const lock = ingestLock(source)
      return turn.run(laneOf(lock), () => repeating(() => underLock(lock, work)))
    },
    locks: namedLocks((name) => locks.named(name)),
    isShared: true,
    reach: NEVER_AWAY,
    care: serverMaintenance(db, url),
    close,
  })
}

/** Four lanes at most: however many sources send at once, most connections stay free for other work. */
const laneOf = (lock: string) => `ingest ${BigInt(lock) & 3n}`

async function repeating<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!mayBeRepeated(error) || tries === MOST_TRIES) throw error
      await setTimeout(20 * tries * (0.5 + Math.random()))
    }
  }
}
