import { setImmediate } from 'node:timers/promises'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { aggregatesInUse } from '../shared/aggregates.ts'
import type { Db } from './connection.ts'
import { salesOnSqlite } from './sales.ts'
import { inTransaction, requireTransaction, runSynchronously } from './synchronous-statements.ts'

type Work<T> = (tx: StoreTransaction) => Promise<T>

/** At most this many transactions share a commit, and no new one starts after this many milliseconds. */
const MOST = 64
const LONGEST_MS = 20

interface Waiting {
  work: Work<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  /** What the work came to, which is told once the commit is on the disk. */
  value?: unknown
  failure?: { error: unknown }
}

/**
 * Transactions that wait for the database at the same time share one commit, because the write to the disk takes longer
 * than the work itself. Each but the first runs in its own savepoint: a failed one leaves no changes, and when the first
 * fails, which most often is alone, the others begin anew without it. The promises settle after the common commit, and
 * all reject when it fails.
 */
export function groupCommit(db: Db, onCommit: () => void = () => {}): <T>(work: Work<T>) => Promise<T> {
  const waiting: Waiting[] = []
  let isRunning = false

  async function doMany(trx: Db, taken: Waiting[]): Promise<void> {
    const tx = aggregatesInUse(trx, salesOnSqlite)
    const until = performance.now() + LONGEST_MS
    do {
      const next = waiting.shift()
      if (!next) break
      taken.push(next)
      await (taken.length === 1 ? doWork(trx, tx, next) : doInSavepoint(trx, tx, next))
    } while (taken.length < MOST && performance.now() < until)
  }

  async function doAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const taken: Waiting[] = []
      try {
        // Lets transactions that are about to start join this commit.
        await inTransaction(db, (trx) => doMany(trx, taken), setImmediate<void>)
      } catch (error) {
        // When `BEGIN` fails, nothing was taken, and every waiting transaction would fail in the same way.
        refuse(taken.length > 0 ? taken : waiting.splice(0), error)
        continue
      }
      for (const one of taken) resolveOrReject(one)
      onCommit()
    }
    isRunning = false
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (!isRunning) void doAll()
    })
}

/** Not a closure that each transaction makes for itself: that kept every sale until the old generation was collected. */
function resolveOrReject({ resolve, reject, value, failure }: Waiting): void {
  if (failure) reject(failure.error)
  else resolve(value)
}

function refuse(failed: readonly Waiting[], error: unknown): void {
  // The error may concern only one of several transactions, so the others get it as a cause.
  const told = failed.length > 1 ? new Error('the common commit has failed', { cause: error }) : error
  for (const { reject } of failed) reject(told)
}

/** @throws the error of the work; without a savepoint around it, it rolls back the transaction */
async function doWork(trx: Db, tx: StoreTransaction, one: Waiting): Promise<void> {
  one.value = await one.work(tx)
  requireTransaction(trx)
}

/** @throws the error of the work when it ended the whole transaction, as a full disk does */
async function doInSavepoint(trx: Db, tx: StoreTransaction, one: Waiting): Promise<void> {
  runSynchronously(trx, SAVEPOINT, [])
  try {
    await doWork(trx, tx, one)
  } catch (error) {
    one.failure = { error }
    try {
      runSynchronously(trx, ROLLBACK, [])
    } catch {
      throw error
    }
  }
  runSynchronously(trx, RELEASE, [])
}

const SAVEPOINT = { sql: 'SAVEPOINT one_of_many', isRead: false }
const RELEASE = { sql: 'RELEASE one_of_many', isRead: false }
const ROLLBACK = { sql: 'ROLLBACK TO one_of_many', isRead: false }
