import { type Kysely, sql } from 'kysely'
import { STATEMENTS } from '../../sqlite/migrations/017-account-recovery.ts'
import { inTypesOfPostgres } from '../types.ts'

export const accountRecovery = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
