import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, insertNew } from './connection.ts'

export function idempotency(db: Db): StoreTransaction['idempotency'] {
  return {
    async insert({ response, ...record }) {
      const row = { ...record, responseStatus: response?.status ?? null, responseBody: response?.body ?? null }
      await insertNew(db.insertInto('idempotencyKeys').values(row))
    },
    async get(scope, key) {
      const row = await db
        .selectFrom('idempotencyKeys')
        .selectAll()
        .where('scope', '=', scope)
        .where('key', '=', key)
        .executeTakeFirst()
      if (!row) return undefined
      const { responseStatus, responseBody, ...record } = row
      const response =
        responseStatus === null || responseBody === null ? null : { status: responseStatus, body: responseBody }
      return { ...record, response }
    },
    async complete(scope, key, { status, body }) {
      await db
        .updateTable('idempotencyKeys')
        .set({ responseStatus: status, responseBody: body })
        .where('scope', '=', scope)
        .where('key', '=', key)
        .execute()
    },
    async remove(scope, key) {
      await db.deleteFrom('idempotencyKeys').where('scope', '=', scope).where('key', '=', key).execute()
    },
    async restart(from, at) {
      await db.updateTable('idempotencyKeys').set({ createdAt: at }).where('createdAt', '>=', from).execute()
    },
    async removeBefore(moment) {
      await db.deleteFrom('idempotencyKeys').where('createdAt', '<', moment).execute()
    },
  }
}
