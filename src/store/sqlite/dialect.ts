import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'
import { preparingOnce } from './statements.ts'
import type { SynchronousRunners } from './synchronous-statements.ts'

/**
 * SQLite for kysely with two connections: one writes, for one transaction at a time, and one reads committed data while
 * a transaction waits. With kysely's own driver readers would wait for the transaction.
 */
export class WriterAndReader extends SqliteDialect {
  readonly #driver: TwoConnections

  /** @param openReader called with the first query outside of a transaction */
  constructor(writer: Database.Database, openReader: () => Database.Database) {
    super({ database: () => Promise.reject(new Error('kysely opens no database here')) })
    this.#driver = new TwoConnections(writer, openReader)
  }

  /** The same two connections without kysely; rows have the column names of the database. */
  get ways(): SynchronousRunners {
    return this.#driver.ways
  }

  get isClosed(): boolean {
    return this.#driver.isClosed
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): Driver {
    return this.#driver
  }
}

/**
 * SQLite can change schemas in transactions, but kysely's adapter says that it cannot, and would migrate without one: a
 * power cut would then leave half a schema.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

type Prepare = (text: string) => Database.Statement

class TwoConnections implements Driver {
  readonly #idle: Use[] = []
  readonly #writer: Database.Database
  #reader: Database.Database | undefined
  readonly #turns = new Turns()
  readonly ways: SynchronousRunners
  isClosed = false

  constructor(writer: Database.Database, openReader: () => Database.Database) {
    this.#writer = writer
    let read: ReturnType<typeof preparingOnce> | undefined
    // A schema change by the writer makes the reader's prepared statements invalid.
    const write = preparingOnce(writer, () => read?.forget())
    this.ways = {
      write: (query) => run(write.prepare, query),
      read: (query) => {
        this.#reader ??= openReader()
        read ??= preparingOnce(this.#reader)
        return run(read.prepare, query)
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#idle.pop() ?? new Use(this.ways, this.#turns)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as Use).claimWriter()
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** On a full disk SQLite rolls back by itself; a second rollback would fail and hide the first error. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#writer.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as Use).release()
    this.#idle.push(connection as Use)
  }

  async destroy(): Promise<void> {
    this.isClosed = true
    // The writer closes last, because the last connection removes the log.
    this.#reader?.close()
    this.#writer.close()
  }
}

/** One use of the database: a transaction, or single statements. */
class Use implements DatabaseConnection {
  readonly #ways: SynchronousRunners
  readonly #turns: Turns
  #giveBack: (() => void) | undefined

  constructor(ways: SynchronousRunners, turns: Turns) {
    this.#ways = ways
    this.#turns = turns
  }

  async claimWriter(): Promise<void> {
    this.#giveBack = await this.#turns.take()
  }

  release(): void {
    this.#giveBack?.()
    this.#giveBack = undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { write, read } = this.#ways
    if (this.#giveBack) return write(query) as QueryResult<R>
    if (SelectQueryNode.is(query.query)) return read(query) as QueryResult<R>
    const giveBack = await this.#turns.take()
    try {
      return write(query) as QueryResult<R>
    } finally {
      giveBack()
    }
  }

  // biome-ignore lint/correctness/useYield: nothing of ours is read bit by bit
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('queries are not streamed')
  }
}

function run(prepare: Prepare, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}

/** Grants turns one at a time, in order of arrival. */
class Turns {
  #last: Promise<void> = Promise.resolve()

  /** @returns a function that ends the turn */
  async take(): Promise<() => void> {
    const before = this.#last
    let end = () => {}
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }
}
