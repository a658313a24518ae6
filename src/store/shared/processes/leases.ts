import { sql } from 'kysely'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres } from '../dialects.ts'

export function leases(db: Db): StoreTransaction['leases'] {
  return {
    async take(name, owner, now, lastsMs) {
      // The clocks of machines that share a database may differ.
      const at = isPostgres(db) ? sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint` : sql.val(now)
      const expiresAt = sql<number>`${at} + ${sql.lit(lastsMs)}`
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('leases')
        .values({ name, owner, expiresAt })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, expiresAt })
            .where((eb) => eb.or([eb('leases.owner', '=', owner), eb('leases.expiresAt', '<=', at)])),
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
