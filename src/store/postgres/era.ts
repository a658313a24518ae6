import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { RestoredDump } from '../shared/damage.ts'
import { ERA, STORED_HERE } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'
import { lastStop } from './last-stop.ts'

/**
 * The time in which a database does not go back: a standby that takes over and a recovery begin a timeline, a snapshot of
 * a disk starts the server again, a copy in its place is another database. In each era every process compares what it has
 * issued with the database, and only then is anything sold.
 */
export interface Era {
  /** Higher than every era that the process knew that began it. */
  count: number
  /** Two databases, of which one has not seen what happened to the other, may count the same. */
  id: string
  incarnation: string
  /** Every process that lived when it began has compared, so that one that starts later waits for nobody. */
  isCompared: boolean
}

/** What the database is now, as SQL. A database that is not promoted has none. */
const INCARNATION = `(SELECT concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
  extract(epoch FROM pg_postmaster_start_time()), oid) FROM pg_database WHERE datname = current_database())`

/** The era that is stored, as JSON in SQL; null where none is. */
export const STORED_ERA = `(SELECT convert_from(value, 'UTF8')::json FROM meta WHERE key = '${ERA}')`

/** The id of the era that the database is in, as SQL; null where it has changed since that era began. */
export const CURRENT_ERA = `(SELECT era ->> 'id' FROM (SELECT ${STORED_ERA} AS era) AS stored
  WHERE era ->> 'incarnation' = ${INCARNATION})`

/**
 * @param stored in the database; undefined where none is
 * @param known by this process; undefined at its start
 * @param wentBack whether the database lacks something although it has not changed otherwise
 * @returns the stored one, or a new one where that is not of this database as it is, or not as new as what is known
 */
export function eraOf(incarnation: string, stored: Era | undefined, known: Era | undefined, wentBack: boolean): Era {
  const isNewEnough = !known || stored?.id === known.id || (stored?.count ?? 0) > known.count
  if (stored?.incarnation === incarnation && isNewEnough && !wentBack) return stored
  const count = Math.max(stored?.count ?? 0, known?.count ?? 0) + 1
  return { count, id: randomUUID(), incarnation, isCompared: false }
}

/** Locks the era until the transaction ends. Sales do not: they see it as it was last stored. */
export async function lockEra(trx: Db): Promise<{ stored: Era | undefined; incarnation: string }> {
  const { rows } = await sql<{ stored: Era | null; incarnation: string }>`
    INSERT INTO meta (key, value) VALUES (${ERA}, 'null') ON CONFLICT (key) DO UPDATE SET value = meta.value
    RETURNING convert_from(value, 'UTF8')::json AS stored, ${sql.raw(INCARNATION)} AS incarnation`.execute(trx)
  return { stored: rows[0]?.stored ?? undefined, incarnation: String(rows[0]?.incarnation) }
}

export async function storeEra(trx: Db, era: Era): Promise<void> {
  await trx
    .updateTable('meta')
    .set({ value: Buffer.from(JSON.stringify(era)) })
    .where('key', '=', ERA)
    .execute()
}

/** Notes that every process has compared in this era. Does nothing while another process holds the era. */
export const MARK_COMPARED = `
  UPDATE meta SET value = convert_to(jsonb_set(convert_from(value, 'UTF8')::jsonb, '{isCompared}', 'true')::text, 'UTF8')
  WHERE key = (SELECT key FROM meta WHERE key = '${ERA}' FOR UPDATE SKIP LOCKED)
    AND convert_from(value, 'UTF8')::jsonb ->> 'id' = $1`

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
  if (!rows[0]?.mark) throw new RestoredDump(await lastStop(db))
  return rows[0].mark
}
