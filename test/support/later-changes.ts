import { type Kysely, type Migration, sql } from 'kysely'
import { initial } from '../../src/store/sqlite/schema.ts'

/** A change of the schema that no release has: it fills a table, row by row, and rebuilds one that others refer to. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE later (id INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT`.execute(db)
  for (let id = 1; id <= 150; id++) await sql`INSERT INTO later VALUES (${id}, randomblob(2000))`.execute(db)
  await sql`CREATE TABLE tenants_later (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT`.execute(
    db,
  )
  await sql`INSERT INTO tenants_later SELECT id, name, created_at FROM tenants`.execute(db)
  await sql`DROP TABLE tenants`.execute(db)
  await sql`ALTER TABLE tenants_later RENAME TO tenants`.execute(db)
}

export const LATER = '002-later'

/** The changes of a release that comes later. */
export const LATER_CHANGES: Record<string, Migration> = { '001-initial': initial, [LATER]: { up } }
