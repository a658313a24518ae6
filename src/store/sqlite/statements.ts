import type Database from 'better-sqlite3'

/** Far more than are in use at a time, because lists of ids of each length make different statements. */
const REMEMBERED = 300

/** Statements that are run again and again: queries, changes of rows, and transaction control. */
const REPEATED = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i

/**
 * Caches prepared statements, because preparing one takes longer than running it. No statement is used twice at the
 * same time, because each runs to its end synchronously.
 * @param onSchemaChange called before a statement that may change the schema
 */
export function preparingOnce(sqlite: Database.Database, onSchemaChange: () => void = () => {}) {
  const prepared = new Map<string, Database.Statement>()
  const forget = () => prepared.clear()
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
      if (prepared.size > REMEMBERED) {
        for (const oldest of prepared.keys()) {
          prepared.delete(oldest)
          break
        }
      }
      return statement
    },
  }
}
