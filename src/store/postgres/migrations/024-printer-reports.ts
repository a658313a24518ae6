import { type Kysely, sql } from 'kysely'
import { STATEMENTS } from '../../sqlite/migrations/021-printer-reports.ts'
import { inTypesOfPostgres } from '../types.ts'

export const printerReports = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
