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
import { preparingOnce, type Statements } from './statements.ts'
import { notStreamed, type SynchronousRunners } from './synchronous-statements.ts'

/** One connection writes, one reads committed data meanwhile: with kysely's own driver readers would wait. */
export class WriterAndReader extends SqliteDialect {
  readonly #driver: TwoConnections

  /** @param openReader called at the first read beside a transaction @param nameOf of a column in rows of `ways` */
  constructor(writer: Database.Database, openReader: () => Database.Database, nameOf: (column: string) => string) {
    super({ database: () => Promise.reject(new Error('kysely opens no database here')) })
    this.#driver = new TwoConnections(writer, openReader, nameOf)
  }

  /** The same two connections without kysely. */
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

/** SQLite changes schemas in transactions, which kysely's adapter denies: a power cut would leave half a schema. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class TwoConnections implements Driver {
  readonly #idle: Use[] = []
  readonly #writer: Database.Database
  #reader: Database.Database | undefined
  readonly #turns = new Turns()
  readonly ways: SynchronousRunners
  readonly #statements: ConnectionStatements
  isClosed = false

  constructor(writer: Database.Database, openReader: () => Database.Database, nameOf: (column: string) => string) {
    this.#writer = writer
    let reading: Statements | undefined
    // A schema change by the writer makes the reader's prepared statements invalid.
    const writing = preparingOnce(writer, nameOf, () => reading?.forget())
    const ofReader = () => {
      this.#reader ??= openReader()
      reading ??= preparingOnce(this.#reader, nameOf)
      return reading
    }
    this.#statements = { writing, ofReader }
    this.ways = {
      write: writing.run,
      query: (query) => run(writing, query),
      claim: () => this.#turns.take(),
      release: () => this.#turns.end(),
      isInTransaction: () => writer.inTransaction,
      // Each commit invalidates the reader's cache; but what is not committed yet, only the reader does not see.
      read: (statement, parameters) =>
        writer.inTransaction ? ofReader().run(statement, parameters) : writing.run(statement, parameters),
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#idle.pop() ?? new Use(this.#statements, this.#turns)
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

interface ConnectionStatements {
  writing: Statements
  /** Opens the reader at its first use. */
  ofReader(): Statements
}

/** One use of the database: a transaction, or single statements. */
class Use implements DatabaseConnection {
  readonly #statements: ConnectionStatements
  readonly #turns: Turns
  #isWriter = false

  constructor(statements: ConnectionStatements, turns: Turns) {
    this.#statements = statements
    this.#turns = turns
  }

  async claimWriter(): Promise<void> {
    await this.#turns.take()
    this.#isWriter = true
  }

  release(): void {
    if (this.#isWriter) this.#turns.end()
    this.#isWriter = false
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { writing, ofReader } = this.#statements
    if (this.#isWriter) return run<R>(writing, query)
    if (SelectQueryNode.is(query.query)) return run<R>(ofReader(), query)
    await this.#turns.take()
    try {
      return run<R>(writing, query)
    } finally {
      this.#turns.end()
    }
  }

  readonly streamQuery = notStreamed
}

function run<R>({ prepare }: Statements, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}

/** Grants turns one at a time, in order of arrival. */
class Turns {
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  /** @returns what to wait for before the turn begins; undefined when it begins at once */
  take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return undefined
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }
}
