import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'

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
    async count(userId) {
      const query = db.selectFrom('recoveryCodes').where('userId', '=', userId)
      return (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
    },
  }
}
