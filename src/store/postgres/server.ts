import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import type { DatabaseCare } from '../../fiscal/ports/database-maintenance.ts'
import { DatabaseAway, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { makeDefaultTenant, type OpenStore, openedStore } from '../open-store.ts'
import { aggregates } from '../shared/aggregates.ts'
import { RestoredDump, UnusableDatabase } from '../shared/damage.ts'
import type { Db } from '../sqlite/connection.ts'
import { lockId, whileOpening } from './advisory-locks.ts'
import { type Claims, createClaims, ProcessRemoved } from './claims.ts'
import { cannotBeOpened, readCommitted } from './connection.ts'
import { requireStoredHere } from './era.ts'
import { type KeptSale, type KeptSales, keepSales } from './kept-sales.ts'
import { lastStop } from './last-stop.ts'
import { lostSales } from './lost-sales.ts'
import { serverMaintenance } from './maintenance.ts'
import { migrateToLatest } from './migrate.ts'
import { moveOf } from './move.ts'
import { openPool, type Pool, Repeatable } from './pool.ts'
import { requirePrivileges } from './privileges.ts'
import { enterProcesses, type Identity, requireNobodyElse } from './processes.ts'
import { type WatchedReach, watchReach } from './reach.ts'
import { salesOnPostgres } from './sales.ts'
import { ownTables, schemaProblems } from './schema-check.ts'
import { kindOf } from './server-faults.ts'

const HALF_MOVED = 'the move of a database into it has not come to its end: run fisk migrate-store again'

const NOT_WHOLE =
  'the database does not say that every fiskd had stopped in order before it was copied, or not all of it has come here: ' +
  'stop every fiskd of the original, copy it again, and restore that with --exit-on-error; or say the numbers, without --moved'

/** How many times work is tried that fails with a deadlock or a serialization failure. */
const MOST_TRIES = 5

export interface ServerOptions {
  identity?: Identity
  /**
   * A database that was restored from a dump, which no other process uses, is opened nevertheless, to make it usable; only
   * a whole one where it was `moved`.
   */
  ofDump?: boolean | 'moved'
  /** Called when another database was restored in the place of the one that was opened. */
  onReplaced?: (problem: string) => void
}

/** For one of the processes that share it. @throws Error that names a server out of reach; as `openStore` does */
export async function openServer(url: string, now: number, options: ServerOptions = {}): Promise<OpenStore> {
  const { identity = { instance: randomUUID(), version: '' }, ofDump = false } = options
  const onReplaced = () =>
    options.onReplaced?.(`the database ${describeDatabaseUrl(url)} was replaced: ${new RestoredDump().message}`)
  let reach: WatchedReach | undefined
  const pool = openPool(url, {
    here: async () => reach?.here(),
    suspect: (refusesWrites) => reach?.suspect(refusesWrites),
  })
  const { db } = pool
  let leave = async () => {}
  try {
    // Not while others wait for this process: an index that is built concurrently would wait for them.
    await migrateToLatest(db, identity.version)
    // Several processes may start at once on an empty database.
    const mark = await whileOpening(db, () => prepare(db, now, ofDump))
    const held = {
      db,
      epoch: () => member.epoch(),
      lastContact: () => reach?.lastContact() ?? performance.now(),
      look: async () => reach?.look(),
    }
    const [invoices, receipts] = [createClaims('invoice', held), createClaims('receipt', held)]
    const forget = () => {
      invoices.forget()
      receipts.forget()
    }
    let found = () => {}
    const told = { mark, onNewEpoch: forget, onReplaced, onBehind: () => found() }
    const member = await enterProcesses(url, identity, now, told)
    leave = member.leave
    await migrateToLatest(db, identity.version)
    const stopUpkeep = startUpkeep(db, identity.version)
    reach = watchReach({ ...member, waitsSince: pool.waitsSince, cut: pool.cut })
    const kept = keepSales()
    const ofSales = { claims: invoices, mark, standing: member.standing, kept }
    const rowsOn: RowsOn = (on, stored = []) => aggregates(on, (on, rows) => salesOnPostgres(on, rows, ofSales, stored))
    const care = serverMaintenance(db, url)
    const onBehind = (listener: () => void) => {
      found = listener
    }
    return openFor({ rowsOn, kept, onBehind, pool, reach, member, invoices, receipts, stopUpkeep, care })
  } catch (error) {
    await db.destroy()
    await leave()
    throw cannotBeOpened(url, error, '; see whether it runs, and FISKD_DATABASE_URL')
  }
}

/** @returns the mark of the database; null of a dump */
async function prepare(db: Db, now: number, ofDump: ServerOptions['ofDump']): Promise<string | null> {
  if (await moveOf(db)) throw new UnusableDatabase([HALF_MOVED], { damaged: false })
  await requirePrivileges(db, undefined, await ownTables(db))
  const problems = await schemaProblems(db)
  if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
  if (ofDump === 'moved' && (await lastStop(db)) === undefined) throw new Error(NOT_WHOLE)
  const mark = ofDump ? null : await requireStoredHere(db)
  if (ofDump) await requireNobodyElse(db)
  await makeDefaultTenant(db, now)
  return mark
}

type RowsOn = (db: Db, stored?: KeptSale[]) => StoreTransaction

interface Opened {
  rowsOn: RowsOn
  kept: KeptSales
  onBehind(listener: () => void): void
  pool: Pool
  reach: WatchedReach
  member: Awaited<ReturnType<typeof enterProcesses>>
  invoices: Claims
  receipts: Claims
  stopUpkeep(): Promise<void>
  care: DatabaseCare
}

function openFor(opened: Opened): OpenStore {
  const { rowsOn, kept, pool, reach, member, invoices, receipts, stopUpkeep, care } = opened
  const { db } = pool
  const single = rowsOn(db)

  async function transaction<T>(
    work: (tx: StoreTransaction, trx: Db) => Promise<T>,
    begin: (trx: Db) => Promise<unknown> = async () => {},
  ): Promise<T> {
    const stored: KeptSale[] = []
    const done = await readCommitted(db, async (trx) => {
      await begin(trx)
      return work(rowsOn(trx, stored), trx)
    })
    for (const sale of stored) kept.stored(sale)
    return done
  }

  async function repeating<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries === MOST_TRIES) throw error instanceof ProcessRemoved ? new DatabaseAway(error) : error
        if (error instanceof ProcessRemoved) {
          // The beats may still reach another database than this connection.
          if (tries > 1) member.reconnect()
          await reach.look()
        } else if (!(error instanceof Repeatable || kindOf(error) === 'busy')) throw error
        await setTimeout(20 * tries * (0.5 + Math.random()))
      }
    }
  }

  const lost = lostSales({
    db,
    kept,
    transaction: (work) => repeating(() => transaction(work)),
    compareAgain() {
      member.compareAgain()
      return reach.look()
    },
  })
  opened.onBehind(lost.found)

  // Work that waits for other work of this process takes no connection meanwhile.
  const turn = createKeyedLock()
  let sales = 0

  return openedStore(db, {
    sales: single.sales,
    transaction(work, queue) {
      const run = () => repeating(() => transaction(work))
      // While one works, the next one is ready to.
      return queue === undefined ? run() : turn.run(`${queue} ${sales++ % 2}`, run)
    },
    ingest(source, work) {
      const lock = lockId('ingest', source)
      const begin = (trx: Db) => sql`SELECT pg_advisory_xact_lock(${lock}::bigint)`.execute(trx)
      return turn.run(laneOf(lock), () => repeating(() => transaction(work, begin)))
    },
    invoiceLock: invoices.lock,
    receiptLock: receipts.lock,
    ownProcess: member,
    async witness(compare) {
      member.compareWith((trx) => compare(rowsOn(trx)))
      // The first look may have begun before.
      for (let looks = 0; looks < 2 && !member.hasCompared(); looks++) await reach.look()
      if (!member.hasCompared()) await reach.here()
    },
    isShared: true,
    reach,
    care,
    rehearsal: null,
    async close() {
      await lost.close()
      await reach.close()
      await stopUpkeep()
      await db.destroy()
      await member.leave()
    },
  })
}

/** Four lanes at most: however many sources send at once, most connections stay free for other work. */
const laneOf = (lock: string) => `ingest ${BigInt(lock) & 3n}`

const HOUR_MS = 3_600_000

/** From time to time makes the schema changes that were put off, and tries again what failed. @returns stops it */
function startUpkeep(db: Db, program: string): () => Promise<void> {
  const end = new AbortController()
  const work = async () => {
    for (;;) {
      // Not all processes at once.
      await setTimeout(HOUR_MS * (0.5 + Math.random()), undefined, { signal: end.signal, ref: false })
      await migrateToLatest(db, program).catch(() => {})
    }
  }
  const ended = work().catch(() => {})
  return async () => {
    end.abort()
    await ended
  }
}
