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
