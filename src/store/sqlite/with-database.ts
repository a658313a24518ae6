import Database from 'better-sqlite3'

/** Works on a database file that has to be there, over a connection of its own. The work is over when it returns. */
export function withDatabase<T>(
  path: string,
  work: (database: Database.Database) => T,
  options: Pick<Database.Options, 'readonly'> = {},
): T {
  const database = new Database(path, { ...options, fileMustExist: true })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The same, and changes nothing. */
export const readDatabase = <T>(path: string, work: (database: Database.Database) => T): T =>
  withDatabase(path, work, { readonly: true })

/** Runs SQLite's check of every page. @returns at most ten problems; none when the file is undamaged */
export function runQuickCheck(database: Database.Database): string[] {
  const rows = database.pragma('quick_check(10)') as { quick_check: string }[]
  return rows.map((row) => row.quick_check).filter((row) => row !== 'ok')
}

/** The same on its own connection. @throws SqliteError when the file cannot be read as a database */
export const runQuickCheckOfFile = (path: string): string[] => readDatabase(path, runQuickCheck)
