import type { Selectable } from 'kysely'
import type { Session, User } from '../../fiscal/ports/model.ts'
import { Duplicate, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../sqlite/connection.ts'
import { changesOne, columnsOf, countOf, run, upsert } from './queries.ts'
import type { Tables } from './tables.ts'

const USER = columnsOf<User>()({ json: ['companyIds', 'mailCompanyIds'], flags: ['isPlatformAdmin', 'wantsMail'] })
const SESSION = columnsOf<Session>()({ flags: ['complete'] })

/** Stands between a name that a user of another tenant has and the tenant; no name has this character. */
const HELD_ELSEWHERE = '\u001f'

export function users(db: Db): StoreTransaction['users'] {
  const select = () => db.selectFrom('users').selectAll()
  const rows: StoreTransaction['users'] = {
    async insert(user) {
      const { name, tenantId } = user
      if (await rows.namedIn(tenantId, name)) throw new Duplicate()
      const holder = await rows.named(name)
      const stored = holder ? { ...user, name: `${name}${HELD_ELSEWHERE}${tenantId}` } : user
      await insertNew(db.insertInto('users').values(USER.toColumns(stored)))
      return holder
    },
    get: async (id) => toUser(await select().where('id', '=', id).executeTakeFirst()),
    named: async (name) => toUser(await select().where('name', '=', name).executeTakeFirst()),
    async namedIn(tenantId, name) {
      const names = [name, `${name}${HELD_ELSEWHERE}${tenantId}`]
      return toUser(await select().where('tenantId', '=', tenantId).where('name', 'in', names).executeTakeFirst())
    },
    async list(tenantId) {
      return (await select().where('tenantId', '=', tenantId).orderBy('name').execute()).map(toUser)
    },
    update: (id, changes) => db.updateTable('users').set(USER.toColumns(changes)).where('id', '=', id).$call(run),
    takeTotpStep: (id, step) =>
      db
        .updateTable('users')
        .set({ totpStep: step })
        .where('id', '=', id)
        .where('totpStep', '<', step)
        .$call(changesOne),
    remove: (id) => db.deleteFrom('users').where('id', '=', id).$call(run),
  }
  return rows
}

/** The name of one that is held elsewhere is the one that the user has in the tenant. */
function toUser<Row extends Selectable<Tables['users']> | undefined>(row: Row) {
  return USER.toModel(row && { ...row, name: row.name.split(HELD_ELSEWHERE, 1).join() })
}

export function sessions(db: Db): StoreTransaction['sessions'] {
  return {
    insert: (session) => db.insertInto('sessions').values(SESSION.toColumns(session)).$call(run),
    get: async (hash) =>
      SESSION.toModel(await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()),
    countCode: (hash, most) =>
      db
        .updateTable('sessions')
        .set((eb) => ({ wrongCodes: eb('wrongCodes', '+', 1) }))
        .where('hash', '=', hash)
        .where('wrongCodes', '<', most)
        .$call(changesOne),
    removeOthers: (userId, hash) =>
      db.deleteFrom('sessions').where('userId', '=', userId).where('hash', '!=', hash).$call(run),
    remove: (hash) => db.deleteFrom('sessions').where('hash', '=', hash).$call(run),
    removeExpired: (now) => db.deleteFrom('sessions').where('expiresAt', '<=', now).$call(run),
  }
}

export function passwordLinks(db: Db): StoreTransaction['passwordLinks'] {
  const select = () => db.selectFrom('passwordLinks').selectAll()
  return {
    put: (link) => upsert(db, 'passwordLinks', link, 'userId'),
    byHash: (hash) => select().where('hash', '=', hash).executeTakeFirst(),
    of: (userId) => select().where('userId', '=', userId).executeTakeFirst(),
    remove: (userId) => db.deleteFrom('passwordLinks').where('userId', '=', userId).$call(run),
  }
}

export function recoveryCodes(db: Db): StoreTransaction['recoveryCodes'] {
  return {
    async replace(userId, hashes) {
      await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
      if (hashes.length === 0) return
      await db
        .insertInto('recoveryCodes')
        .values(hashes.map((hash) => ({ userId, hash })))
        .execute()
    },
    async take(userId, hash) {
      const query = db.deleteFrom('recoveryCodes').where('userId', '=', userId).where('hash', '=', hash)
      return (await query.executeTakeFirst()).numDeletedRows === 1n
    },
    count: (userId) => db.selectFrom('recoveryCodes').where('userId', '=', userId).$call(countOf),
  }
}
