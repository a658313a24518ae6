import { type Insertable, sql } from 'kysely'
import type { Mode } from '../../domain/sale/sale.ts'
import { type IdempotencyRecord, KEY_LIFETIME_MS } from '../../fiscal/ports/model.ts'
import type { KeyTime } from '../../fiscal/ports/rows/sales.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, requireInserted, unlessThere } from '../sqlite/connection.ts'
import { isPostgres, matching, run } from './queries.ts'
import type { Tables } from './tables.ts'
import { writtenOnce, writtenOncePerColumns } from './written-once.ts'

/** The date of a key that was stored while the clock was not proven: later than any moment. */
export const UNDATED = Number.MAX_SAFE_INTEGER

/** Key in `meta` of a PostgreSQL database: when a process last found the clock of the database right, by that clock. */
const RIGHT_AT = 'clock_right_at'

/** How far clocks that are right may differ, and for how long a clock that was right is. Processes prove it each minute. */
const RIGHT_FOR_MS = 10 * 60_000

const shown = sql<number>`(extract(epoch FROM statement_timestamp()) * 1000)::bigint`

/** What the clock of a PostgreSQL database shows; null where it is not proven. Read anew by each statement. */
const sharedTime = sql<KeyTime>`(SELECT ${shown} FROM meta WHERE key = ${sql.lit(RIGHT_AT)}
  AND abs(${shown} - convert_from(value, 'UTF8')::bigint) <= ${sql.lit(RIGHT_FOR_MS)})`

export const sharedDate = sql<number>`coalesce(${sharedTime}, ${sql.lit(UNDATED)})`

/** The date of the latest keys that are over. */
export const sharedEnd = sql<number>`${sharedTime} - ${sql.lit(KEY_LIFETIME_MS)}`

const insert = writtenOncePerColumns((db, row: Omit<Insertable<Tables['idempotencyKeys']>, 'createdAt'>) =>
  db
    .insertInto('idempotencyKeys')
    // On SQLite the row has its date.
    .values(isPostgres(db) ? { ...row, createdAt: sharedDate } : (row as Insertable<Tables['idempotencyKeys']>))
    .onConflict(unlessThere),
)

const byKey = writtenOnce((db, scope: string, key: string) =>
  db
    .selectFrom('idempotencyKeys')
    .selectAll()
    .select((isPostgres(db) ? sharedTime : sql<KeyTime>`NULL`).as('shared'))
    .where(matching({ scope, key })),
)

export const keepResponse = writtenOncePerColumns(
  (db, response: { responseStatus: number; responseBody: string }, scope: string, key: string) =>
    db
      .updateTable('idempotencyKeys')
      .set(response)
      .where(matching({ scope, key, responseStatus: null })),
)

export function idempotency(db: Db): StoreTransaction['idempotency'] {
  /** @param mode null for those of both */
  const apiKeysOf = (mode: Mode | null) => {
    const ids = db.selectFrom('apiKeys').select('id')
    return mode === null ? ids : ids.where('mode', '=', mode)
  }
  return {
    async insert(record, now) {
      const row = isPostgres(db) ? keyRow(record) : datedRow(record, now)
      requireInserted((await insert(db, row)).numAffectedRows)
    },
    async get(scope, key, now) {
      const [row] = (await byKey(db, scope, key)).rows
      if (!row) return undefined
      const { responseStatus, responseBody, createdAt, shared, ...record } = row
      const response =
        responseStatus === null || responseBody === null ? null : { status: responseStatus, body: responseBody }
      return { ...record, response, isOver: createdAt <= keyEnd(isPostgres(db) ? shared : now) }
    },
    async complete(scope, key, { status, body }) {
      const { numAffectedRows } = await keepResponse(db, { responseStatus: status, responseBody: body }, scope, key)
      if (numAffectedRows === 1n) return body
      const [row] = (await byKey(db, scope, key)).rows
      return row?.responseBody ?? body
    },
    remove: (scope, key) =>
      db.deleteFrom('idempotencyKeys').where('scope', '=', scope).where('key', '=', key).$call(run),
    async removeOver(now, mode) {
      const ofMode = mode === null ? 'not in' : 'in'
      const old = db.deleteFrom('idempotencyKeys')
      const over = isPostgres(db)
        ? old.where('createdAt', '<=', sharedEnd).where('scope', ofMode, apiKeysOf(mode))
        : old
            .where('createdAt', '<=', keyEnd(now))
            .where(UNINDEXED_SCOPE, ofMode, apiKeysOf(mode))
            .where(storedBeforeAnyAfter(keyEnd(now)))
      await over.execute()
    },
    async prove(at, mode) {
      const dated = db.updateTable('idempotencyKeys')
      if (isPostgres(db)) {
        const { numAffectedRows } = await sql`INSERT INTO meta (key, value)
          SELECT ${RIGHT_AT}, convert_to(${shown}::text, 'UTF8') WHERE abs(${shown} - ${at}::bigint) <= ${sql.lit(RIGHT_FOR_MS)}
          ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(db)
        await dated.set({ createdAt: sharedDate }).where('createdAt', '>', sharedDate).execute()
        return numAffectedRows === 1n
      }
      const others = apiKeysOf(mode === 'live' ? 'test' : 'live')
      await dated.set({ createdAt: at }).where('createdAt', '>', at).where('scope', 'not in', others).execute()
      return true
    },
    async isProven() {
      if (!isPostgres(db)) return false
      const { rows } = await sql<{ at: KeyTime }>`SELECT ${sharedTime} AS at`.execute(db)
      return rows[0]?.at != null
    },
  }
}

/** SQLite does not look up an expression by the index of the keys, which has all of a scope, in their order. */
const UNINDEXED_SCOPE = sql<string>`scope || ''`

/**
 * On SQLite keys have no index by age, which each sale would write. They stand in the order in which they were stored, and
 * those before the first young one are looked at. Where a clock was set, old ones behind it wait until it is old, too: what
 * is too old counts no more, whether it is there or not.
 */
const storedBeforeAnyAfter = (moment: number) => sql<boolean>`rowid < coalesce(
  (SELECT rowid FROM idempotency_keys WHERE created_at > ${moment} ORDER BY rowid LIMIT 1), 9223372036854775807)`

/** The date of the latest keys that are over; earlier than any where the time is not known. */
export const keyEnd = (now: KeyTime): number => (now === null ? -1 : now - KEY_LIFETIME_MS)

export function keyRow({ response, ...record }: IdempotencyRecord) {
  return { ...record, responseStatus: response?.status ?? null, responseBody: response?.body ?? null }
}

/** On SQLite, where each statement gets the time. */
export const datedRow = (record: IdempotencyRecord, now: KeyTime) => ({ ...keyRow(record), createdAt: now ?? UNDATED })
