import { sql } from 'kysely'
import type { ProcessRows } from '../../fiscal/ports/rows/processes.ts'
import type { Subjects } from '../../fiscal/ports/rows/subjects.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { isPostgres, run } from './queries.ts'

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
    release: (name, owner) => db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).$call(run),
    clear: () => db.deleteFrom('leases').$call(run),
  }
}

export function processes(db: Db): ProcessRows {
  return {
    async list() {
      if (!isPostgres(db)) return []
      return db.selectFrom('processes').select(['id', 'host', 'pid', 'version', 'startedAt']).orderBy('id').execute()
    },
  }
}

export function subjects(db: Db): Subjects {
  return {
    async hold(...held) {
      if (!isPostgres(db)) return
      // In one order everywhere, so that two transactions never wait for each other.
      for (const subject of held.toSorted()) {
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`fiskd ${subject}`}, 0))`.execute(db)
      }
    },
    async freeze() {
      if (isPostgres(db)) await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(db)
    },
  }
}
