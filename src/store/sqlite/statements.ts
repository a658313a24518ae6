import type Database from 'better-sqlite3'

/** Far more than are in use at a time; lists of ids of every length come by as well. */
const REMEMBERED = 300

/** Rows, changes to them and the ends of transactions: what is done again and again. */
const REPEATED = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i

/**
 * Statements that are prepared once: to prepare one takes longer than to run it. One that is running is not given to
 * somebody else, for each is run to its end at once.
 * @param onSchemaChange told before a statement that may change what others mean
 */
export function preparingOnce(sqlite: Database.Database, onSchemaChange: () => void = () => {}) {
  const prepared = new Map<string, Database.Statement>()
  const forget = () => prepared.clear()
  return {
    forget,
    prepare(text: string): Database.Statement {
      // A change of the schema is rare, and changes what statements mean.
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
