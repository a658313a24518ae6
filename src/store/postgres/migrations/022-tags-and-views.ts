import { type Kysely, sql } from 'kysely'
import { STATEMENTS } from '../../sqlite/migrations/019-tags-and-views.ts'
import { inTypesOfPostgres } from '../types.ts'

export const tagsAndViews = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
