import { sql } from 'kysely'
import { RestoredDump } from '../shared/damage.ts'
import { STORED_HERE } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'

/**
 * The mark of a database whose rows are where they were first stored; null otherwise. The mark begins with its own
 * transaction and table, as PostgreSQL keeps them beside the row: a dump, or logical replication, stores the row anew,
 * under others. A standby that takes over, a base backup, `pg_upgrade` and `VACUUM FULL` leave them as they are; what
 * rewrites `meta` has to make the mark again.
 */
export const MARK = `(SELECT convert_from(value, 'UTF8') FROM meta WHERE key = '${STORED_HERE}'
  AND starts_with(convert_from(value, 'UTF8'), xmin::text || ' ' || tableoid::text || ' '))`

/** @returns the mark of the database, made where there is none yet @throws RestoredDump when it was made elsewhere */
export async function requireStoredHere(db: Db): Promise<string> {
  await sql`
    INSERT INTO meta (key, value)
    VALUES (${STORED_HERE}, convert_to(concat_ws(' ', pg_current_xact_id()::xid, 'meta'::regclass::oid, gen_random_uuid()), 'UTF8'))
    ON CONFLICT DO NOTHING`.execute(db)
  const { rows } = await sql<{ mark: string | null }>`SELECT ${sql.raw(MARK)} AS mark`.execute(db)
  if (!rows[0]?.mark) throw new RestoredDump()
  return rows[0].mark
}
