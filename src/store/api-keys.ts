import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, insertUnique } from './connection.ts'

export function apiKeys(db: Db): StoreTransaction['apiKeys'] {
  return {
    async insert(key) {
      await insertUnique(
        db
          .insertInto('apiKeys')
          .values({ ...key, scopes: JSON.stringify(key.scopes) })
          .execute(),
      )
    },
    async byHash(hash) {
      const row = await db.selectFrom('apiKeys').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && { ...row, scopes: JSON.parse(row.scopes) }
    },
  }
}
