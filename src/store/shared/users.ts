import type { Insertable, Selectable } from 'kysely'
import type { User } from '../../fiscal/ports/model.ts'
import { Duplicate, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../sqlite/connection.ts'
import type { Tables } from './tables.ts'

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
      await insertNew(db.insertInto('users').values(toRow(stored)))
      return holder
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toUser(row)
    },
    async named(name) {
      const row = await select().where('name', '=', name).executeTakeFirst()
      return row && toUser(row)
    },
    async namedIn(tenantId, name) {
      const names = [name, `${name}${HELD_ELSEWHERE}${tenantId}`]
      const row = await select().where('tenantId', '=', tenantId).where('name', 'in', names).executeTakeFirst()
      return row && toUser(row)
    },
    async list(tenantId) {
      return (await select().where('tenantId', '=', tenantId).orderBy('name').execute()).map(toUser)
    },
    async update(id, changes) {
      await db.updateTable('users').set(toRow(changes)).where('id', '=', id).execute()
    },
    async takeTotpStep(id, step) {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ totpStep: step })
        .where('id', '=', id)
        .where('totpStep', '<', step)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async remove(id) {
      await db.deleteFrom('users').where('id', '=', id).execute()
    },
  }
  return rows
}

function toUser(row: Selectable<Tables['users']>): User {
  return {
    ...row,
    name: row.name.split(HELD_ELSEWHERE, 1).join(),
    companyIds: listIn(row.companyIds),
    mailCompanyIds: listIn(row.mailCompanyIds),
    isPlatformAdmin: row.isPlatformAdmin === 1,
    wantsMail: row.wantsMail === 1,
  }
}

type UserRow = Insertable<Tables['users']>

const listIn = (text: string | null): string[] | null => (text === null ? null : JSON.parse(text))

function toRow<T extends Partial<User>>({ companyIds, mailCompanyIds, isPlatformAdmin, wantsMail, ...user }: T) {
  return {
    ...user,
    ...(companyIds !== undefined && { companyIds: companyIds && JSON.stringify(companyIds) }),
    ...(mailCompanyIds !== undefined && { mailCompanyIds: mailCompanyIds && JSON.stringify(mailCompanyIds) }),
    ...(isPlatformAdmin !== undefined && { isPlatformAdmin: Number(isPlatformAdmin) }),
    ...(wantsMail !== undefined && { wantsMail: Number(wantsMail) }),
  } as T extends User ? UserRow : Partial<UserRow>
}

export function sessions(db: Db): StoreTransaction['sessions'] {
  return {
    async insert(session) {
      await db
        .insertInto('sessions')
        .values({ ...session, complete: Number(session.complete) })
        .execute()
    },
    async get(hash) {
      const row = await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && { ...row, complete: row.complete === 1 }
    },
    async countCode(hash, most) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set((eb) => ({ wrongCodes: eb('wrongCodes', '+', 1) }))
        .where('hash', '=', hash)
        .where('wrongCodes', '<', most)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async removeOthers(userId, hash) {
      await db.deleteFrom('sessions').where('userId', '=', userId).where('hash', '!=', hash).execute()
    },
    async remove(hash) {
      await db.deleteFrom('sessions').where('hash', '=', hash).execute()
    },
    async removeExpired(now) {
      await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
    },
  }
}
