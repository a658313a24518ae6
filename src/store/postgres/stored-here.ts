import { sql } from 'kysely'
import { RestoredDump } from '../shared/damage.ts'
import { STORED_HERE } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'

/**
 * Whether the rows are where they were first stored. The mark names its own transaction and table, as PostgreSQL stores
 * them beside the row: a dump, or logical replication, stores the row anew, under others. A standby that takes over, a
 * base backup, `pg_upgrade` and `VACUUM FULL` leave them as they are; what rewrites `meta` has to make the mark again.
 */
export const IS_STORED_HERE = `EXISTS (
  SELECT 1 FROM meta WHERE key = '${STORED_HERE}' AND convert_from(value, 'UTF8') = xmin::text || ' ' || tableoid::text)`

/**
 * Marks a database that has no mark yet.
 * @throws RestoredDump when the mark was made elsewhere
 */
export async function requireStoredHere(db: Db): Promise<void> {
  await sql`
    INSERT INTO meta (key, value)
    VALUES (${STORED_HERE}, convert_to(pg_current_xact_id()::xid::text || ' ' || 'meta'::regclass::oid::text, 'UTF8'))
    ON CONFLICT DO NOTHING`.execute(db)
  const { rows } = await sql<{ isHere: boolean }>`SELECT ${sql.raw(IS_STORED_HERE)} AS is_here`.execute(db)
  if (rows[0]?.isHere !== true) throw new RestoredDump()
}
