import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'

export function leases(db: Db): StoreTransaction['leases'] {
  return {
    async take(name, owner, now, expiresAt) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('leases')
        .values({ name, owner, expiresAt })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, expiresAt })
            .where((eb) => eb.or([eb('leases.owner', '=', owner), eb('leases.expiresAt', '<=', now)])),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async release(name, owner) {
      await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
    },
    async clear() {
      await db.deleteFrom('leases').execute()
    },
  }
}
