import { type CompiledQuery, type Kysely, type KyselyProps, type QueryResult, Transaction } from 'kysely'
import type { Tables } from '../shared/tables.ts'

type Db = Kysely<Tables>

/** A statement that comes again and again: one object for each text, so that what is known of it is found by it. */
export interface RepeatedStatement {
  readonly sql: string
  readonly isRead: boolean
}

export type Run = (statement: RepeatedStatement, parameters: readonly unknown[]) => QueryResult<unknown>

/** Synchronous access to a database; for the same query kysely makes some fifteen promises. */
export interface SynchronousRunners {
  /** Reads committed data. */
  read: Run
  /** Only for the holder of the writer. */
  write: Run
  /** A query of kysely, only for the holder of the writer. */
  query(query: CompiledQuery): QueryResult<unknown>
  /** Makes its caller the holder of the writer. @returns what to wait for before; undefined when nobody else holds it */
  claim(): Promise<void> | undefined
  release(): void
  /** Whether a transaction is open: SQLite may have rolled it back by itself. */
  isInTransaction(): boolean
}

interface Registered {
  runners: SynchronousRunners
  props: Omit<KyselyProps, 'executor'>
}

const registered = new WeakMap<Db, Registered>()

/** @param props what kysely wants to know of a transaction of this database */
export function registerRunners(db: Db, runners: SynchronousRunners, props: Registered['props']): void {
  registered.set(db, { runners, props })
}

/** @throws Error at its first use: rows are read all at once */
// biome-ignore lint/correctness/useYield: nothing of ours is read bit by bit
export async function* notStreamed(): AsyncIterableIterator<never> {
  throw new Error('queries are not streamed')
}

/** A transaction of the writer. What kysely runs and what is run without it comes to the same connection. */
class OwnTransaction extends Transaction<Tables> {
  readonly runners: SynchronousRunners
  readonly #state: { outcome: Outcome | undefined }

  constructor(db: Db, { runners, props }: Registered) {
    const state = { outcome: undefined }
    const connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        requireOpen(state.outcome)
        return runners.query(query) as QueryResult<R>
      },
      streamQuery: notStreamed,
    }
    const executor = db.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) })
    super({ ...props, executor })
    this.runners = runners
    this.#state = state
  }

  end(outcome: Outcome): void {
    this.#state.outcome = outcome
  }

  /** @throws Error when it is over */
  requireOpen(): void {
    requireOpen(this.#state.outcome)
  }
}

type Outcome = 'committed' | 'rolled back'

function requireOpen(outcome: Outcome | undefined): void {
  if (outcome) throw new Error(`the transaction is already ${outcome}`)
}

/**
 * Runs work in a transaction, one at a time, without the promises that kysely makes for it. It is rolled back when the work
 * fails.
 * @param before is waited for when nobody else can write any more, and before the transaction begins
 * @throws Error of `before`, of the work, or of SQLite when it refuses to begin, to commit or to roll back
 */
export async function inTransaction(
  db: Db,
  work: (trx: Db) => Promise<unknown>,
  before?: () => Promise<void>,
): Promise<void> {
  const ofDatabase = registered.get(db)
  if (!ofDatabase) throw new Error('not a database of SQLite')
  const { runners } = ofDatabase
  const othersWrite = runners.claim()
  if (othersWrite) await othersWrite
  try {
    if (before) await before()
    runners.write(BEGIN, NO_VALUES)
    const trx = new OwnTransaction(db, ofDatabase)
    try {
      await work(trx)
      runners.write(COMMIT, NO_VALUES)
      trx.end('committed')
    } catch (error) {
      trx.end('rolled back')
      // On a full disk SQLite rolls back by itself; a second rollback would fail and hide the first error.
      if (runners.isInTransaction()) runners.write(ROLLBACK, NO_VALUES)
      throw error
    }
  } finally {
    runners.release()
  }
}

const BEGIN = { sql: 'begin', isRead: false }
const COMMIT = { sql: 'commit', isRead: false }
const ROLLBACK = { sql: 'rollback', isRead: false }
const NO_VALUES: readonly unknown[] = []

/** @returns undefined when kysely must run the query: a write outside of a transaction waits for its turn */
export function runSynchronously(
  db: Db,
  statement: RepeatedStatement,
  parameters: readonly unknown[],
): QueryResult<unknown> | undefined {
  if (db instanceof OwnTransaction) {
    db.requireOpen()
    return db.runners.write(statement, parameters)
  }
  return statement.isRead ? registered.get(db)?.runners.read(statement, parameters) : undefined
}

/** @throws Error when SQLite has rolled the transaction back, as on a full disk, and the work has hidden that */
export function requireTransaction(trx: Db): void {
  const isRolledBack = trx instanceof OwnTransaction && !trx.runners.isInTransaction()
  if (isRolledBack) throw new Error('SQLite has rolled the transaction back')
}
