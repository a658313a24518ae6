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
