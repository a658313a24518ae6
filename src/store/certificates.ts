import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'

export function certificates(db: Db): StoreTransaction['certificates'] {
  return {
    async insert(certificate) {
      await db.insertInto('certificates').values(certificate).execute()
    },
    async current(companyId) {
      return db
        .selectFrom('certificates')
        .selectAll()
        .where('companyId', '=', companyId)
        .where('supersededAt', 'is', null)
        .where('revokedAt', 'is', null)
        .executeTakeFirst()
    },
    async supersedeCurrent(companyId, at) {
      await db
        .updateTable('certificates')
        .set({ supersededAt: at })
        .where('companyId', '=', companyId)
        .where('supersededAt', 'is', null)
        .execute()
    },
  }
}
