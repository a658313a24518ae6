import { type Kysely, sql } from 'kysely'
import { STATEMENTS } from '../../sqlite/migrations/021-printer-reasons.ts'
import { inTypesOfPostgres } from '../types.ts'

export const printerReasons = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
