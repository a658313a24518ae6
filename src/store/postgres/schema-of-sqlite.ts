import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, type Migration, SqliteDialect, sql } from 'kysely'

/** @returns by name, the statements of all tables and indexes after the SQLite migrations */
export async function schemaOfSqlite(migrations: Migration[]): Promise<Map<string, string>> {
  const database = new Database(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  try {
    for (const migration of migrations) await migration.up(db)
    const { rows } = await sql<{ name: string; sql: string }>`
      SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type DESC`.execute(db)
    return new Map(rows.map((row) => [row.name, row.sql]))
  } finally {
    await db.destroy()
  }
}
