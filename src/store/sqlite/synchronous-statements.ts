import type { Kysely, QueryResult } from 'kysely'
import type { Tables } from '../shared/tables.ts'

type Db = Kysely<Tables>

/** A statement that comes again and again: one object for each text, so that what is known of it is found by it. */
export interface RepeatedStatement {
  readonly sql: string
  /** Whether it only reads. */
  readonly isRead: boolean
}

/** Runs a statement to its end. */
export type Run = (statement: RepeatedStatement, parameters: readonly unknown[]) => QueryResult<unknown>

/** Synchronous access to a database; for the same query kysely makes some fifteen promises. */
export interface SynchronousRunners {
  /** Reads committed data. */
  read: Run
  /** Only for the holder of the transaction. */
  write: Run
  /** Whether a transaction is open: SQLite may have rolled it back by itself. */
  isInTransaction(): boolean
}

const ways = new WeakMap<Db, SynchronousRunners>()
const transactions = new WeakMap<Db, SynchronousRunners>()

export function registerRunners(db: Db, ofDatabase: SynchronousRunners): void {
  ways.set(db, ofDatabase)
}

/** @param trx a transaction of `db`: until the work is done, its statements run synchronously */
export async function runningSynchronously(db: Db, trx: Db, work: () => Promise<void>): Promise<void> {
  const ofDatabase = ways.get(db)
  if (ofDatabase) transactions.set(trx, ofDatabase)
  try {
    await work()
  } finally {
    transactions.delete(trx)
  }
}

/** @returns undefined when kysely must run the query: a write outside of a transaction waits for its turn */
export function runSynchronously(
  db: Db,
  statement: RepeatedStatement,
  parameters: readonly unknown[],
): QueryResult<unknown> | undefined {
  const run = transactions.get(db)?.write ?? (statement.isRead ? ways.get(db)?.read : undefined)
  return run?.(statement, parameters)
}

/**
 * For a full disk, for example, SQLite rolls a whole transaction back. Work that hides the failure would go on, and what
 * comes after it would be in a transaction of its own.
 * @throws Error when that has happened
 */
export function requireTransaction(trx: Db): void {
  if (transactions.get(trx)?.isInTransaction() === false) throw new Error('SQLite has rolled the transaction back')
}
