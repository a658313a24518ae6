import { sql } from 'kysely'
import { MESSAGES } from '../shared/schema/sales.ts'
import type { Db } from '../sqlite/connection.ts'
import { lackedALock, waitBriefly } from './schema-change.ts'

/** How many months beyond the current one have their partition already. */
const AHEAD = 3

/** The partition of messages from before the month in which the database was made, and of those that no month has. */
const EARLIER = 'messages_earlier'
const REST = 'messages_default'

/** UTC: epoch milliseconds of the first moment of the month that is `later` months after the one of `at`. */
export function monthStart(at: number, later = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)
}

const nameOf = (month: number) => `messages_${new Date(month).toISOString().slice(0, 7).replace('-', '_')}`

/** The server's clock: one wrong clock of a process must not make a thousand months. */
export async function serverTime(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number }>`SELECT floor(extract(epoch FROM now()) * 1000) AS at`.execute(db)
  return Number(rows[0]?.at)
}

/**
 * The keys of `messages` hold within the partition: a key of the whole table would have to contain the month. The same
 * message always has the same moment, thus the same partition.
 * @param values the bounds, as SQL
 */
async function makePartition(trx: Db, name: string, values: string): Promise<void> {
  const statements = [
    `CREATE TABLE ${name} (LIKE messages INCLUDING DEFAULTS,
      ${MESSAGES.keys})`,
    notTruncated(name),
    // Unlike CREATE TABLE ... PARTITION OF, this does not lock the whole table.
    `ALTER TABLE messages ATTACH PARTITION ${name} ${values}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(trx)
}

/** Triggers for each row come with the whole table; those for a statement do not. */
const notTruncated = (table: string) =>
  `CREATE TRIGGER messages_are_not_emptied BEFORE TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION fiskd_refuse('what was issued is kept')`

/** A clock that is far ahead, and a month whose partition is missing, never refuse a message. */
export async function makeFirstPartitions(trx: Db): Promise<void> {
  const now = await serverTime(trx)
  await makePartition(trx, EARLIER, `FOR VALUES FROM (MINVALUE) TO (${monthStart(now)})`)
  await makeMonths(trx, now)
  await makePartition(trx, REST, 'DEFAULT')
}

/** Makes the partitions from the end of the newest one to `AHEAD` months from now. */
export async function makeMonths(trx: Db, now: number): Promise<void> {
  const newest = await newestEnd(trx)
  // Of a server that was off for years only the months from now on are made; the default takes the others.
  const first = newest === undefined ? monthStart(now) : Math.max(newest, monthStart(now))
  for (let month = first; month <= monthStart(now, AHEAD); month = monthStart(month, 1)) {
    await sql`SAVEPOINT month`.execute(trx)
    try {
      await makePartition(trx, nameOf(month), `FOR VALUES FROM (${month}) TO (${monthStart(month, 1)})`)
    } catch (error) {
      if (!isTaken(error)) throw error
      // The default keeps this month: it has messages of it, or the partition was detached.
      await sql`ROLLBACK TO SAVEPOINT month`.execute(trx)
    }
  }
}

/** A table of this name is there, or the default has rows of this month. */
const isTaken = (error: unknown) => ['42P07', '23514'].includes(String((error as { code?: unknown }).code))

async function newestEnd(trx: Db): Promise<number | undefined> {
  const { rows } = await sql<{ ends: number | null }>`
    SELECT max(substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO [(]'?([0-9]+)'?[)]$$)::bigint) AS ends
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass('messages')`.execute(trx)
  return rows[0]?.ends ?? undefined
}

/**
 * Makes the months ahead that are missing. Harmless when several processes do it at once, or nothing is missing.
 * @returns false when other sessions hold the table: there is a quarter of a year to try again
 */
export async function keepMonthsAhead(db: Db): Promise<boolean> {
  const work = async (trx: Db) => {
    await waitBriefly(trx)
    const { rows } = await sql<{ ours: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtextextended('fiskd messages by month', 0)) AS ours`.execute(trx)
    if (rows[0]?.ours === true) await makeMonths(trx, await serverTime(trx))
  }
  try {
    await db.transaction().setIsolationLevel('read committed').execute(work)
    return true
  } catch (error) {
    if (!lackedALock(error)) throw error
    return false
  }
}
