import type { Selectable } from 'kysely'
import type { User } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, insertNew } from './connection.ts'
import type { Tables } from './tables.ts'

export function users(db: Db): StoreTransaction['users'] {
  const select = () => db.selectFrom('users').selectAll()
  return {
    async insert(user) {
      const row = { ...user, isPlatformAdmin: Number(user.isPlatformAdmin) }
      await insertNew(db.insertInto('users').values(row))
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toUser(row)
    },
    async named(name) {
      const row = await select().where('name', '=', name).executeTakeFirst()
      return row && toUser(row)
    },
    async list(tenantId) {
      return (await select().where('tenantId', '=', tenantId).orderBy('name').execute()).map(toUser)
    },
    async remove(id) {
      await db.deleteFrom('users').where('id', '=', id).execute()
    },
  }
}

function toUser(row: Selectable<Tables['users']>): User {
  return { ...row, isPlatformAdmin: row.isPlatformAdmin === 1 }
}

export function sessions(db: Db): StoreTransaction['sessions'] {
  return {
    async insert(session) {
      await db.insertInto('sessions').values(session).execute()
    },
    async get(hash) {
      return db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
    },
    async remove(hash) {
      await db.deleteFrom('sessions').where('hash', '=', hash).execute()
    },
    async removeExpired(now) {
      await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
    },
  }
}
