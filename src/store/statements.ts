import type Database from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'

/** Far more than are in use at a time; lists of ids of every length come by as well. */
const REMEMBERED = 300

/** Rows, changes to them and the ends of transactions: what is done again and again. */
const REPEATED = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i

/**
 * The database with its statements prepared once: to prepare one takes longer than to run it. One that is running is not
 * given to somebody else, for kysely runs each to its end at once and none of ours is read bit by bit.
 */
export function preparingOnce(sqlite: Database.Database): SqliteDatabase {
  const prepared = new Map<string, Database.Statement>()
  return {
    prepare(text) {
      // A change of the schema is rare, and changes what statements mean.
      if (!REPEATED.test(text)) {
        prepared.clear()
        return sqlite.prepare(text) as never
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
      return statement as never
    },
    close: () => sqlite.close(),
  }
}
