import { type Kysely, sql } from 'kysely'
import { TABLE } from '../../sqlite/migrations/010-branding.ts'
import { inTypesOfPostgres } from '../types.ts'

export const branding = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(inTypesOfPostgres(TABLE)).execute(db)
  },
}
