import Database from 'better-sqlite3'

/**
 * Changes a stopped gateway's database behind its back, as an accident or an attacker would: without its triggers,
 * which stand there again afterwards.
 */
export function tamper(path: string, ...statements: string[]): void {
  const database = new Database(path)
  try {
    const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
    for (const { name } of triggers as { name: string }[]) database.exec(`DROP TRIGGER ${name}`)
    for (const statement of statements) database.exec(statement)
    for (const { sql } of triggers as { sql: string }[]) database.exec(sql)
  } finally {
    database.close()
  }
}
