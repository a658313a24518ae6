import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { beyond } from './list-slice.ts'

export function audit(db: Db): StoreTransaction['audit'] {
  return {
    async insert(entry) {
      await db
        .insertInto('auditLog')
        .values({ ...entry, detail: JSON.stringify(entry.detail) })
        .execute()
    },
    async list(tenantId, { limit, after }) {
      let query = db
        .selectFrom('auditLog')
        .selectAll()
        .where('tenantId', '=', tenantId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      if (after) query = query.where(beyond('at', 'id', '<', after))
      return (await query.execute()).map((row) => ({ ...row, detail: JSON.parse(row.detail) }))
    },
    async latest(action) {
      const done = db.selectFrom('auditLog').where('action', '=', action)
      const latest = done.select((eb) => eb.fn.max<number | null>('at').as('at'))
      return (await latest.executeTakeFirstOrThrow()).at
    },
    async countFrom(action, firstId) {
      const { count } = await db
        .selectFrom('auditLog')
        .where('id', '>=', firstId)
        .where('action', '=', action)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}
