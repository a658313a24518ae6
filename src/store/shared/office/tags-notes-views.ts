import { sql } from 'kysely'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { upsert } from '../queries.ts'

export function deviceTags(db: Db): StoreTransaction['deviceTags'] {
  const ofTenant = (tenantId: string) => db.selectFrom('deviceTags').where('tenantId', '=', tenantId)
  return {
    async list(tenantId, { limit, after }) {
      let query = ofTenant(tenantId).select(['deviceId', 'tag']).orderBy('deviceId').orderBy('tag').limit(limit)
      if (after) query = query.where(sql<boolean>`(device_id, tag) > (${after.deviceId}, ${after.tag})`)
      return query.execute()
    },
    async of(tenantId, deviceId) {
      const rows = await ofTenant(tenantId).select('tag').where('deviceId', '=', deviceId).orderBy('tag').execute()
      return rows.map(({ tag }) => tag)
    },
    async put(tenantId, deviceId, tags) {
      await db.deleteFrom('deviceTags').where('tenantId', '=', tenantId).where('deviceId', '=', deviceId).execute()
      if (tags.length === 0) return
      await db
        .insertInto('deviceTags')
        .values(tags.map((tag) => ({ tenantId, deviceId, tag })))
        .execute()
    },
  }
}

export function savedViews(db: Db): StoreTransaction['savedViews'] {
  return {
    async list(userId, list) {
      const rows = db.selectFrom('savedViews').selectAll().where('userId', '=', userId).where('list', '=', list)
      return rows.orderBy('name').execute()
    },
    async put(view) {
      const { query, createdAt } = view
      await db
        .insertInto('savedViews')
        .values(view)
        .onConflict((conflict) => conflict.columns(['userId', 'list', 'name']).doUpdateSet({ query, createdAt }))
        .execute()
    },
    async remove(userId, id) {
      const removed = db.deleteFrom('savedViews').where('userId', '=', userId).where('id', '=', id)
      return removed.returningAll().executeTakeFirst()
    },
  }
}

export function deviceNotes(db: Db): StoreTransaction['deviceNotes'] {
  const ofTenant = (tenantId: string) => db.selectFrom('deviceNotes').where('tenantId', '=', tenantId)
  return {
    async list(tenantId, { limit, after = '' }) {
      const rows = ofTenant(tenantId).select(['deviceId', 'note', 'contact']).where('deviceId', '>', after)
      return rows.orderBy('deviceId').limit(limit).execute()
    },
    async of(tenantId, deviceId) {
      const stored = ofTenant(tenantId).select(['note', 'contact']).where('deviceId', '=', deviceId)
      return (await stored.executeTakeFirst()) ?? { note: '', contact: '' }
    },
    put: (tenantId, deviceId, { note, contact }) =>
      upsert(db, 'deviceNotes', { tenantId, deviceId, note, contact }, 'tenantId', 'deviceId'),
  }
}
