import { type Kysely, sql } from 'kysely'
import { JOBS } from '../../sqlite/migrations/012-jobs.ts'
import { inTypesOfPostgres } from '../types.ts'

export const jobs = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of JOBS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
