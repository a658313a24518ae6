import type Database from 'better-sqlite3'
import type { QueryResult, UnknownRow } from 'kysely'
import type { RepeatedStatement } from './synchronous-statements.ts'

/** Far more than are in use at a time, because lists of ids of each length make different statements. */
const REMEMBERED = 300

/** Statements that are run again and again: queries, changes of rows, transaction control, and checkpoints. */
const REPEATED =
  /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release|pragma wal_checkpoint)\b/i

/** A prepared statement whose rows are arrays, and what such a row is like; undefined where it has no rows. */
interface Kept {
  statement: Database.Statement
  shape: Shape | undefined
}

interface Shape {
  names: readonly string[]
  /** A row without values. Its copy has room for all of them at once: names added one by one would copy it several times. */
  empty: UnknownRow
}

/**
 * Preparing a statement takes longer than running it. None is used twice at a time: each runs to its end.
 * @param nameOf what a column is called here
 * @param onSchemaChange called before a statement that may change the schema
 */
export function preparingOnce(
  sqlite: Database.Database,
  nameOf: (column: string) => string,
  onSchemaChange: () => void = () => {},
) {
  const prepared = new Map<string, Database.Statement>()
  const kept = new Map<RepeatedStatement, Kept>()
  const forget = () => {
    prepared.clear()
    kept.clear()
  }

  function keep(repeated: RepeatedStatement): Kept {
    const statement = sqlite.prepare(repeated.sql)
    const shape = statement.reader ? shapeOf(statement.columns().map(({ name }) => nameOf(name))) : undefined
    const found = { statement: shape ? statement.raw() : statement, shape }
    kept.set(repeated, found)
    return found
  }

  return {
    forget,
    prepare(text: string): Database.Statement {
      // A schema change is rare, and makes prepared statements invalid.
      if (!REPEATED.test(text)) {
        forget()
        onSchemaChange()
        return sqlite.prepare(text)
      }
      const statement = prepared.get(text) ?? sqlite.prepare(text)
      prepared.delete(text)
      prepared.set(text, statement)
      if (prepared.size > REMEMBERED) prepared.delete(prepared.keys().next().value ?? '')
      return statement
    },
    /** @returns rows with the names that columns have here: each is made once, from values without names */
    run(repeated: RepeatedStatement, parameters: readonly unknown[]): QueryResult<UnknownRow> {
      const { statement, shape } = kept.get(repeated) ?? keep(repeated)
      if (!shape) return { numAffectedRows: BigInt(statement.run(parameters).changes), rows: [] }
      const rows: unknown[] = statement.all(parameters)
      for (let i = 0; i < rows.length; i++) rows[i] = rowOf(shape, rows[i] as unknown[])
      return { rows: rows as UnknownRow[] }
    },
  }
}

export type Statements = ReturnType<typeof preparingOnce>

const shapeOf = (names: readonly string[]): Shape => ({
  names,
  empty: Object.fromEntries(names.map((name) => [name, null])),
})

function rowOf({ names, empty }: Shape, values: readonly unknown[]): UnknownRow {
  const row = { ...empty }
  // By index: a closure for each row would cost as much as the row.
  for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i]
  return row
}
