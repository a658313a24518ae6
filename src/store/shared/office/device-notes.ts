import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'

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
    async put(tenantId, deviceId, { note, contact }) {
      const insert = db.insertInto('deviceNotes').values({ tenantId, deviceId, note, contact })
      const isThere = ['tenantId', 'deviceId'] as const
      await insert.onConflict((conflict) => conflict.columns(isThere).doUpdateSet({ note, contact })).execute()
    },
  }
}
