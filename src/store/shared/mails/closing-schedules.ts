import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'

export function closingSchedules(db: Db): StoreTransaction['closingSchedules'] {
  const all = () => db.selectFrom('closingSchedules').selectAll()
  return {
    async insert(schedule) {
      await db.insertInto('closingSchedules').values(schedule).execute()
    },
    get: (id) => all().where('id', '=', id).executeTakeFirst(),
    list(tenantId) {
      const query = all().orderBy('recipient').orderBy('id')
      return (tenantId === null ? query : query.where('tenantId', '=', tenantId)).execute()
    },
    async update(id, changes) {
      await db.updateTable('closingSchedules').set(changes).where('id', '=', id).execute()
    },
    async updateUnlessSaved({ id, savedAt }, changes) {
      const query = db.updateTable('closingSchedules').set(changes).where('id', '=', id).where('savedAt', '=', savedAt)
      return (await query.executeTakeFirst()).numUpdatedRows === 1n
    },
    async remove(id) {
      await db.deleteFrom('closingSchedules').where('id', '=', id).execute()
    },
  }
}
