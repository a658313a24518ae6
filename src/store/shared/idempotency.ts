import { type Insertable, sql } from 'kysely'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { IdempotencyRecord } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, requireInserted } from '../sqlite/connection.ts'
import { isPostgres } from './dialects.ts'
import type { Tables } from './tables.ts'
import { writtenOnce, writtenOncePerColumns } from './written-once.ts'

const insert = writtenOncePerColumns((db, row: Insertable<Tables['idempotencyKeys']>) =>
  db
    .insertInto('idempotencyKeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

const byKey = writtenOnce((db, scope: string, key: string) =>
  db.selectFrom('idempotencyKeys').selectAll().where('scope', '=', scope).where('key', '=', key),
)

export const keepResponse = writtenOncePerColumns(
  (db, response: { responseStatus: number; responseBody: string }, scope: string, key: string) =>
    db
      .updateTable('idempotencyKeys')
      .set(response)
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('responseStatus', 'is', null),
)

export function idempotency(db: Db): StoreTransaction['idempotency'] {
  /** @param mode null for those of both */
  const apiKeysOf = (mode: Mode | null) => {
    const ids = db.selectFrom('apiKeys').select('id')
    return mode === null ? ids : ids.where('mode', '=', mode)
  }
  return {
    async insert(record) {
      requireInserted((await insert(db, keyRow(record))).numAffectedRows)
    },
    async get(scope, key) {
      const [row] = (await byKey(db, scope, key)).rows
      if (!row) return undefined
      const { responseStatus, responseBody, ...record } = row
      const response =
        responseStatus === null || responseBody === null ? null : { status: responseStatus, body: responseBody }
      return { ...record, response }
    },
    async complete(scope, key, { status, body }) {
      const { numAffectedRows } = await keepResponse(db, { responseStatus: status, responseBody: body }, scope, key)
      if (numAffectedRows === 1n) return body
      const [row] = (await byKey(db, scope, key)).rows
      return row?.responseBody ?? body
    },
    async remove(scope, key) {
      await db.deleteFrom('idempotencyKeys').where('scope', '=', scope).where('key', '=', key).execute()
    },
    async restart(from, at, mode) {
      // Else a key that another transaction is storing would keep its time.
      if (isPostgres(db)) await sql`LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE`.execute(db)
      await db
        .updateTable('idempotencyKeys')
        .set({ createdAt: at })
        .where('createdAt', '>=', from)
        .where('scope', 'not in', apiKeysOf(mode === 'live' ? 'test' : 'live'))
        .execute()
    },
    async removeBefore(moment, mode) {
      const old = db.deleteFrom('idempotencyKeys').where('createdAt', '<', moment)
      const ofMode = mode === null ? 'not in' : 'in'
      if (isPostgres(db)) await old.where('scope', ofMode, apiKeysOf(mode)).execute()
      else await old.where(UNINDEXED_SCOPE, ofMode, apiKeysOf(mode)).where(storedBeforeAnyOf(moment)).execute()
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
const storedBeforeAnyOf = (moment: EpochMs) => sql<boolean>`rowid < coalesce(
  (SELECT rowid FROM idempotency_keys WHERE created_at >= ${moment} ORDER BY rowid LIMIT 1), 9223372036854775807)`

export function keyRow({ response, ...record }: IdempotencyRecord) {
  return { ...record, responseStatus: response?.status ?? null, responseBody: response?.body ?? null }
}
