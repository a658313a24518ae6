import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../sqlite/connection.ts'
import { runSynchronously } from '../sqlite/synchronous-statements.ts'

/** Stands for a parameter while a statement is written. */
class Place {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

interface Written {
  query: CompiledQuery
  /** What each of its parameters is: the place of an argument, or a value that is always the same. */
  parameters: readonly unknown[]
}

/**
 * A statement that is written by kysely with its first use, once for each kind of database, and from then on only bound to
 * other values: to write one takes several times as long as to run it.
 * @param write may put its arguments in as values, and nothing else: what the text depends on belongs in another statement
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
    const query = write(db, ...(places as unknown as P)).compile()
    const bound = new Set(query.parameters)
    if (!places.every((place) => bound.has(place))) throw new Error(`a value has no place in: ${query.sql}`)
    const written = { query, parameters: query.parameters }
    known.set(kind, written)
    return written
  }

  return async (db, ...values) => {
    const { query, parameters } = writtenFor(db, values.length)
    const bound = parameters.map((parameter) => (parameter instanceof Place ? values[parameter.index] : parameter))
    const ready = { ...query, parameters: bound } as CompiledQuery<R>
    return runSynchronously(db, ready) ?? db.executeQuery(ready)
  }
}

/** The same for statements that write a row, or some columns of one: once for each choice of columns. */
export function writtenOncePerColumns<Row extends object, P extends unknown[], R>(
  write: (db: Db, row: Row, ...values: P) => Compilable<R>,
): (db: Db, row: Row, ...values: P) => Promise<QueryResult<R>> {
  const known = new Map<string, (db: Db, ...values: unknown[]) => Promise<QueryResult<R>>>()
  return (db, row, ...values) => {
    const columns = Object.keys(row)
    const choice = columns.join()
    let written = known.get(choice)
    if (!written) {
      written = writtenOnce((on: Db, ...all: unknown[]) => {
        const placed = Object.fromEntries(columns.map((column, i) => [column, all[i]]))
        return write(on, placed as Row, ...(all.slice(columns.length) as P))
      })
      known.set(choice, written)
    }
    return written(db, ...Object.values(row), ...values)
  }
}
