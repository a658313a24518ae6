import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../sqlite/connection.ts'

export function tenants(db: Db): StoreTransaction['tenants'] {
  return {
    async insert(tenant) {
      await insertNew(db.insertInto('tenants').values(tenant))
    },
    async get(id) {
      return db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst()
    },
    async list() {
      return db.selectFrom('tenants').selectAll().orderBy('createdAt').orderBy('id').execute()
    },
  }
}

export function branding(db: Db): StoreTransaction['branding'] {
  return {
    async get(tenantId) {
      const stored = db.selectFrom('branding').select(['name', 'logoHash']).where('tenantId', '=', tenantId)
      return stored.executeTakeFirst()
    },
    async logo(hash) {
      const stored = db.selectFrom('branding').select('logo').where('logoHash', '=', hash).limit(1)
      return (await stored.executeTakeFirst())?.logo ?? undefined
    },
    async put(tenantId, name, logo) {
      const columns = logo === undefined ? {} : { logo: logo?.bytes ?? null, logoHash: logo?.hash ?? null }
      const row = { tenantId, name, logo: null, logoHash: null, ...columns }
      const insert = db.insertInto('branding').values(row)
      await insert.onConflict((conflict) => conflict.column('tenantId').doUpdateSet({ name, ...columns })).execute()
    },
  }
}
