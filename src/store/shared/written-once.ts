import { type CompiledQuery, type QueryResult, SelectQueryNode } from 'kysely'
import type { Db } from '../sqlite/connection.ts'
import { type RepeatedStatement, runSynchronously } from '../sqlite/synchronous-statements.ts'

class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

interface Written extends RepeatedStatement {
  query: CompiledQuery
  /** The values of a call as parameters: the arguments, with the constants of the statement between them. */
  bind(values: readonly unknown[]): readonly unknown[]
}

/** The texts of all statements that are written once: they stay few. */
const texts = new Set<string>()

export const isWrittenOnce = (text: string): boolean => texts.has(text)

/** A query builder, or a statement in SQL. */
interface Compilable<R> {
  compile(db: Db): CompiledQuery<R>
}

export interface WrittenOnce<P extends unknown[], R> {
  (db: Db, ...values: P): Promise<QueryResult<R>>
  /** The same without a promise, for SQLite alone. @throws Error when it would have to be waited for */
  now(db: Db, ...values: P): QueryResult<R>
}

/**
 * A statement that kysely compiles at its first use, once per kind of database; later calls only bind other values.
 * Compiling takes several times as long as running.
 * @param write may use its arguments only as values: the text of the statement must not depend on them
 */
export function writtenOnce<P extends unknown[], R>(write: (db: Db, ...values: P) => Compilable<R>): WrittenOnce<P, R> {
  const statement = new Statement<R>(write as (db: Db, ...values: unknown[]) => Compilable<R>)
  return Object.assign((db: Db, ...values: P) => statement.run(db, values), {
    now: (db: Db, ...values: P) => statement.now(db, values),
  })
}

/** The same for statements that write a row or some of its columns: compiled once per set of columns. */
export function writtenOncePerColumns<Row extends object, P extends unknown[], R>(
  write: (db: Db, row: Row, ...values: P) => Compilable<R>,
): WrittenOnce<[row: Row, ...values: P], R> {
  const known = new Map<string, OfColumns<R>>()
  let latest: OfColumns<R> | undefined

  function make(columns: string[]): OfColumns<R> {
    const statement = new Statement<R>((on, ...all) => {
      const placed = Object.fromEntries(columns.map((column, i) => [column, all[i]]))
      return write(on, placed as Row, ...(all.slice(columns.length) as P))
    })
    return { columns, statement }
  }

  function ofColumns(row: Row): OfColumns<R> {
    // Almost always the columns of the call before: their names need not be joined to be looked up.
    if (latest && areNamed(row, latest.columns)) return latest
    const columns = Object.keys(row)
    const choice = columns.join()
    latest = known.get(choice) ?? make(columns)
    known.set(choice, latest)
    return latest
  }

  return Object.assign(
    (db: Db, row: Row, ...values: P) => {
      const { statement, columns } = ofColumns(row)
      return statement.run(db, inOrder(row, columns, values))
    },
    {
      now(db: Db, row: Row, ...values: P) {
        const { statement, columns } = ofColumns(row)
        return statement.now(db, inOrder(row, columns, values))
      },
    },
  )
}

interface OfColumns<R> {
  columns: readonly string[]
  statement: Statement<R>
}

/** Without a list of the names of each row. */
function areNamed(row: object, columns: readonly string[]): boolean {
  let count = 0
  for (const name in row) if (name !== columns[count++]) return false
  return count === columns.length
}

/** The values of a row and others after them, in a list that is made in its full length. */
function inOrder(row: object, columns: readonly string[], others: readonly unknown[]): unknown[] {
  const values = new Array<unknown>(columns.length + others.length)
  for (let i = 0; i < columns.length; i++) values[i] = row[columns[i] as keyof typeof row]
  for (let i = 0; i < others.length; i++) values[columns.length + i] = others[i]
  return values
}

class Statement<R> {
  readonly #write: (db: Db, ...values: unknown[]) => Compilable<R>
  readonly #known = new WeakMap<object, Written>()

  constructor(write: (db: Db, ...values: unknown[]) => Compilable<R>) {
    this.#write = write
  }

  // Not `async`: a sale runs some twenty statements, and each would make what can be suspended, and never is.
  run(db: Db, values: readonly unknown[]): Promise<QueryResult<R>> {
    try {
      const written = this.#writtenFor(db, values.length)
      const parameters = written.bind(values)
      const done = runSynchronously(db, written, parameters) as QueryResult<R> | undefined
      return done ? Promise.resolve(done) : db.executeQuery<R>({ ...written.query, parameters })
    } catch (error) {
      return Promise.reject(error)
    }
  }

  now(db: Db, values: readonly unknown[]): QueryResult<R> {
    const written = this.#writtenFor(db, values.length)
    const done = runSynchronously(db, written, written.bind(values)) as QueryResult<R> | undefined
    if (!done) throw new Error(`only a transaction of SQLite runs this at once: ${written.sql}`)
    return done
  }

  #writtenFor(db: Db, count: number): Written {
    const kind = db.getExecutor().adapter
    const before = this.#known.get(kind)
    if (before) return before
    const placeholders = Array.from({ length: count }, (_, index) => new Placeholder(index))
    const query = this.#write(db, ...placeholders).compile(db)
    const bound = new Set(query.parameters)
    if (!placeholders.every((placeholder) => bound.has(placeholder)))
      throw new Error(`a value has no placeholder in: ${query.sql}`)
    const isRead = SelectQueryNode.is(query.query)
    const written = { query, sql: query.sql, isRead, bind: binding(query.parameters, placeholders) }
    this.#known.set(kind, written)
    texts.add(query.sql)
    return written
  }
}

function binding(parameters: readonly unknown[], placeholders: readonly Placeholder[]): Written['bind'] {
  const isInOrder = parameters.length === placeholders.length && parameters.every((one, i) => one === placeholders[i])
  if (isInOrder) return (values) => values
  return (values) => parameters.map((one) => (one instanceof Placeholder ? values[one.index] : one))
}
