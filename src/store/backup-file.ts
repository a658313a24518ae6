import Database from 'better-sqlite3'
import { UnusableDatabase } from './damage.ts'
import { isKnownMigration } from './migrate.ts'
import { quickCheck } from './quick-check.ts'

/**
 * Tells whether a file is a whole database of this fiskd or of an older one.
 * @throws UnusableDatabase that says what else it is
 */
export async function requireOurDatabase(path: string): Promise<void> {
  const problems = await quickCheck(path).problems
  if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: true })
  const unknown = migrationsOf(path).find((name) => !isKnownMigration(name))
  if (unknown !== undefined) {
    throw new UnusableDatabase([`it was made by a newer fiskd (${unknown}): install that one first`], {
      damaged: false,
    })
  }
}

function migrationsOf(path: string): string[] {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    return database.prepare<[], string>('SELECT name FROM kysely_migration').pluck().all()
  } catch (error) {
    throw new UnusableDatabase(['it is no database of fiskd'], { damaged: false, cause: error })
  } finally {
    database.close()
  }
}
