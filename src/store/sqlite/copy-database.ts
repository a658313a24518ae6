import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely'
import type { DatabaseCopy } from '../../fiscal/ports/database-maintenance.ts'
import { isDamage, UnusableDatabase } from '../shared/damage.ts'
import { type Child, startChild } from './child-processes/start-child.ts'
import type { Db } from './connection.ts'
import { schemaProblems } from './schema-check.ts'

/**
 * Copies a database that is in use into one file and checks the copy by opening it.
 * @throws UnusableDatabase when the copy is damaged; Error when it could not be made. A partial copy is not removed
 */
export function copyDatabase(source: string, target: string): Child<DatabaseCopy> {
  const { result, stop } = startChild('copy-database', { source, target })
  return { result: result.then((copied) => copied && checked(copied, target), asUnusableCopy), stop }
}

async function checked(copied: { problems: string[]; facts: DatabaseCopy }, target: string): Promise<DatabaseCopy> {
  if (copied.problems.length > 0) throw new UnusableDatabase(copied.problems, { damaged: true })
  const database = new Database(target, { readonly: true, fileMustExist: true })
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  try {
    const problems = await schemaProblems(db)
    if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
    return copied.facts
  } finally {
    await db.destroy()
  }
}

function asUnusableCopy(error: unknown): never {
  if (isDamage(error)) throw new UnusableDatabase([(error as Error).message], { damaged: true, cause: error })
  throw error
}
