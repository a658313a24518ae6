import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../sqlite/connection.ts'
import { runSynchronously } from '../sqlite/synchronous-statements.ts'

/** A placeholder for a parameter while a statement is compiled. */
class Place {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

interface Written {
  query: CompiledQuery
  /** Each parameter: the place of an argument, or a constant value. */
  parameters: readonly unknown[]
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
    const written = { query, parameters: query.parameters }
    known.set(kind, written)
    texts.add(query.sql)
    return written
  }

  return async (db, ...values) => {
    const { query, parameters } = writtenFor(db, values.length)
    const bound = parameters.map((parameter) => (parameter instanceof Place ? values[parameter.index] : parameter))
    const ready = { ...query, parameters: bound } as CompiledQuery<R>
    return runSynchronously(db, ready) ?? db.executeQuery(ready)
  }
}

/** The same for statements that write a row or some of its columns: compiled once per set of columns. */
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
