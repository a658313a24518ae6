import { type Migration, Migrator, sql } from 'kysely'
import { NewerDatabase } from '../shared/damage.ts'
import { PROGRAM } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'
import { sync } from './migrations/005-sync.ts'
import { office } from './migrations/006-office.ts'
import { numbersAhead } from './migrations/007-numbers-ahead.ts'
import { companiesOfTenants } from './migrations/008-companies-of-tenants.ts'
import { processes } from './migrations/009-processes.ts'

/** All schema changes, in order; up to 008 each has the name of the SQLite migration after which the two are equal. */
const migrations: Record<string, Migration> = {
  '005-sync': sync,
  '006-office': office,
  '007-numbers-ahead': numbersAhead,
  '008-companies-of-tenants': companiesOfTenants,
  '009-processes': processes,
}

const NEWEST = String(Object.keys(migrations).at(-1))

/**
 * Brings the database to this program's schema, all in one transaction.
 * @throws NewerDatabase when a newer fiskd made the database; Error when a change failed
 */
export async function migrateToLatest(db: Db): Promise<void> {
  await refuseNewer(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('the database schema could not be brought up to date', { cause: error })
}

/** Makes the current schema from nothing, in the first schema of the search path. */
export async function makeSchema(db: Db): Promise<void> {
  for (const migration of Object.values(migrations)) await migration.up(db)
}

/** @returns the names of the schema changes applied to the database, in order; none when fiskd did not make it */
export async function changesOf(db: Db): Promise<string[]> {
  if (!(await isThere(db, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}

async function refuseNewer(db: Db): Promise<void> {
  const unknown = (await changesOf(db)).filter((name) => !Object.hasOwn(migrations, name)).at(-1)
  if (unknown === undefined) return
  const meta = (await isThere(db, 'meta'))
    ? await db.selectFrom('meta').select('value').where('key', '=', PROGRAM).executeTakeFirst()
    : undefined
  throw new NewerDatabase({ program: meta?.value.toString('utf8') ?? null, schema: unknown, known: NEWEST })
}

async function isThere(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found === true
}
