import { type Migration, Migrator, sql } from 'kysely'
import type { Db } from './connection.ts'
import { initial } from './schema.ts'

/** All schema changes, in order; their names never change. */
const migrations = {
  '001-initial': initial,
}

/** Brings the database to this program's schema in one transaction. @throws Error, also for one of a newer fiskd */
export async function migrateToLatest(db: Db, changes: Record<string, Migration> = migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => changes } })
  // A migration rebuilds a table by replacing it, which must not fail because of foreign keys that point to it.
  await sql`PRAGMA foreign_keys = OFF`.execute(db)
  const { error } = await migrator.migrateToLatest()
  await sql`PRAGMA foreign_keys = ON`.execute(db)
  if (error) throw new Error('the database schema could not be brought up to date', { cause: error })
}

/** Names are in order. */
export const NEWEST_SCHEMA = String(Object.keys(migrations).at(-1))

export const isKnownMigration = (name: string): boolean => Object.hasOwn(migrations, name)
