import { type CompiledQuery, type QueryResult, SelectQueryNode } from 'kysely'
import type { Db } from '../sqlite/connection.ts'
import { type RepeatedStatement, runSynchronously } from '../sqlite/synchronous-statements.ts'

/** A placeholder for a parameter while a statement is compiled. */
class Place {
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

/** Whether the text is one of a statement that is written once, and comes again and again. */
export const isWrittenOnce = (text: string): boolean => texts.has(text)

/** A query builder, or a statement in SQL. */
interface Compilable<R> {
  compile(db: Db): CompiledQuery<R>
}

/**
 * A statement that kysely compiles at its first use, once per kind of database; later calls only bind other values.
 * Compiling takes several times as long as running.
 * @param write may use its arguments only as values: the text of the statement must not depend on them
 */
export function writtenOnce<P extends unknown[], R>(
  write: (db: Db, ...values: P) => Compilable<R>,
): (db: Db, ...values: P) => Promise<QueryResult<R>> {
  const known = new WeakMap<object, Written>()

  function writtenFor(db: Db, count: number): Written {
    const kind = db.getExecutor().adapter
    const before = known.get(kind)
    if (before) return before
    const places = Array.from({ length: count }, (_, index) => new Place(index))
    const query = write(db, ...(places as unknown as P)).compile(db)
    const bound = new Set(query.parameters)
    if (!places.every((place) => bound.has(place))) throw new Error(`a value has no place in: ${query.sql}`)
    const isRead = SelectQueryNode.is(query.query)
    const written = { query, sql: query.sql, isRead, bind: binding(query.parameters, places) }
    known.set(kind, written)
    texts.add(query.sql)
    return written
  }

  // Not `async`: a sale runs some twenty statements, and each would make what can be suspended, and never is.
  return (db, ...values) => {
    try {
      const written = writtenFor(db, values.length)
      const parameters = written.bind(values)
      const done = runSynchronously(db, written, parameters) as QueryResult<R> | undefined
      return done ? Promise.resolve(done) : db.executeQuery<R>({ ...written.query, parameters })
    } catch (error) {
      return Promise.reject(error)
    }
  }
}

function binding(parameters: readonly unknown[], places: readonly Place[]): Written['bind'] {
  const isInOrder = parameters.length === places.length && parameters.every((one, i) => one === places[i])
  if (isInOrder) return (values) => values
  return (values) => parameters.map((one) => (one instanceof Place ? values[one.index] : one))
}

/** The same for statements that write a row or some of its columns: compiled once per set of columns. */
export function writtenOncePerColumns<Row extends object, P extends unknown[], R>(
  write: (db: Db, row: Row, ...values: P) => Compilable<R>,
): (db: Db, row: Row, ...values: P) => Promise<QueryResult<R>> {
  const known = new Map<string, OfColumns<R>>()
  let latest: OfColumns<R> | undefined

  function make(columns: string[]): OfColumns<R> {
    const run = writtenOnce((on: Db, ...all: unknown[]) => {
      const placed = Object.fromEntries(columns.map((column, i) => [column, all[i]]))
      return write(on, placed as Row, ...(all.slice(columns.length) as P))
    })
    return { columns, run }
  }

  return (db, row, ...values) => {
    const columns = Object.keys(row)
    // Almost always the columns of the call before: their names need not be joined to be looked up.
    if (!latest || !areSame(latest.columns, columns)) {
      const choice = columns.join()
      latest = known.get(choice) ?? make(columns)
      known.set(choice, latest)
    }
    return latest.run(db, ...Object.values(row), ...values)
  }
}

interface OfColumns<R> {
  columns: readonly string[]
  run(db: Db, ...values: unknown[]): Promise<QueryResult<R>>
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, i) => name === other[i])
