import { type RawBuilder, sql } from 'kysely'
import { RestoredDump } from '../shared/damage.ts'
import { STORED_HERE } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'

/**
 * Whether the rows are where they were first stored. The mark begins with its own transaction and table, as PostgreSQL
 * keeps them beside the row: a dump, or logical replication, stores the row anew, under others. A standby that takes
 * over, a base backup, `pg_upgrade` and `VACUUM FULL` leave them as they are; what rewrites `meta` has to make the mark
 * again.
 */
const IS_STORED_HERE = `key = '${STORED_HERE}'
  AND starts_with(convert_from(value, 'UTF8'), xmin::text || ' ' || tableoid::text || ' ')`

/** Whether this is still the database that had the mark. @param mark as text: a value, or its place in a statement */
export const isMarked = (mark: string) =>
  `EXISTS (SELECT 1 FROM meta WHERE ${IS_STORED_HERE} AND convert_from(value, 'UTF8') = ${mark})`

/** The same for a parameter. */
export const isMarkedAs = (mark: unknown): RawBuilder<boolean> =>
  sql`EXISTS (SELECT 1 FROM meta WHERE ${sql.raw(IS_STORED_HERE)} AND convert_from(value, 'UTF8') = ${mark})`

/**
 * Marks a database that has no mark yet.
 * @returns the mark, which no other database has
 * @throws RestoredDump when it was made elsewhere
 */
export async function requireStoredHere(db: Db): Promise<string> {
  await sql`
    INSERT INTO meta (key, value)
    VALUES (${STORED_HERE}, convert_to(concat_ws(' ', pg_current_xact_id()::xid, 'meta'::regclass::oid, gen_random_uuid()), 'UTF8'))
    ON CONFLICT DO NOTHING`.execute(db)
  const { rows } = await sql<{ mark: string }>`
    SELECT convert_from(value, 'UTF8') AS mark FROM meta WHERE ${sql.raw(IS_STORED_HERE)}`.execute(db)
  if (!rows[0]) throw new RestoredDump()
  return rows[0].mark
}
