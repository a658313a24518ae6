import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'

export function passwordLinks(db: Db): StoreTransaction['passwordLinks'] {
  const select = () => db.selectFrom('passwordLinks').selectAll()
  return {
    async put(link) {
      const { userId, ...rest } = link
      await db
        .insertInto('passwordLinks')
        .values(link)
        .onConflict((conflict) => conflict.column('userId').doUpdateSet(rest))
        .execute()
    },
    byHash: (hash) => select().where('hash', '=', hash).executeTakeFirst(),
    of: (userId) => select().where('userId', '=', userId).executeTakeFirst(),
    async remove(userId) {
      await db.deleteFrom('passwordLinks').where('userId', '=', userId).execute()
    },
  }
}
