import { sql } from 'kysely'
import type { Subjects } from '../../../fiscal/ports/rows/subjects.ts'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres } from '../dialects.ts'

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
