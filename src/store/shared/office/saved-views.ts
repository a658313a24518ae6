import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'

export function savedViews(db: Db): StoreTransaction['savedViews'] {
  return {
    async list(userId, list) {
      const rows = db.selectFrom('savedViews').selectAll().where('userId', '=', userId).where('list', '=', list)
      return rows.orderBy('name').execute()
    },
    async put(view) {
      const { query, createdAt } = view
      await db
        .insertInto('savedViews')
        .values(view)
        .onConflict((conflict) => conflict.columns(['userId', 'list', 'name']).doUpdateSet({ query, createdAt }))
        .execute()
    },
    async remove(userId, id) {
      const removed = db.deleteFrom('savedViews').where('userId', '=', userId).where('id', '=', id)
      return removed.returningAll().executeTakeFirst()
    },
  }
}
