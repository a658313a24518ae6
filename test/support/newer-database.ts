import Database from 'better-sqlite3'

/** Makes a database what a fiskd of the future leaves: with schema changes that this one does not know. */
export function makeNewer(path: string, program: string | null = '9.4.0'): void {
  const database = new Database(path)
  try {
    database.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('900-future', '2030')").run()
    database.prepare("DELETE FROM meta WHERE key = 'program'").run()
    if (program) database.prepare("INSERT INTO meta VALUES ('program', ?)").run(Buffer.from(program))
  } finally {
    database.close()
  }
}
