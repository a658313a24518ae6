import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, refusingDuplicates } from './connection.ts'

export function tenants(db: Db): StoreTransaction['tenants'] {
  return {
    async insert(tenant) {
      await refusingDuplicates(db.insertInto('tenants').values(tenant).execute())
    },
    async get(id) {
      return db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst()
    },
    async list() {
      return db.selectFrom('tenants').selectAll().orderBy('createdAt').orderBy('id').execute()
    },
  }
}
