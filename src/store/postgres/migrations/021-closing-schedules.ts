import { type Kysely, sql } from 'kysely'
import { STATEMENTS } from '../../sqlite/migrations/018-closing-schedules.ts'
import { inTypesOfPostgres } from '../types.ts'

export const closingSchedules = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
