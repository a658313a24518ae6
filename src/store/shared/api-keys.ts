import type { Selectable } from 'kysely'
import type { ApiKey } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew, revokeOnce } from '../sqlite/connection.ts'
import type { Tables } from './tables.ts'
import { writtenOnce } from './written-once.ts'

const byHash = writtenOnce((db, hash: string) => db.selectFrom('apiKeys').selectAll().where('hash', '=', hash))

export function apiKeys(db: Db): StoreTransaction['apiKeys'] {
  const select = () => db.selectFrom('apiKeys').selectAll()
  return {
    async insert(key) {
      const row = { ...key, scopes: JSON.stringify(key.scopes) }
      await insertNew(db.insertInto('apiKeys').values(row))
    },
    async byHash(hash) {
      const [row] = (await byHash(db, hash)).rows
      return row && toApiKey(row)
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toApiKey(row)
    },
    async list(tenantId) {
      const rows = await select().where('tenantId', '=', tenantId).orderBy('createdAt').orderBy('id').execute()
      return rows.map(toApiKey)
    },
    revoke: (id, at) => revokeOnce(db, 'apiKeys', id, at),
  }
}

function toApiKey(row: Selectable<Tables['apiKeys']>): ApiKey {
  return { ...row, scopes: JSON.parse(row.scopes) }
}
