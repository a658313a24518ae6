import { type Kysely, sql } from 'kysely'
import { COMPANIES_OF_GATEWAYS } from '../../sqlite/migrations/008-companies-of-tenants.ts'
import { inTypesOfPostgres } from '../types.ts'

export const companiesOfTenants = {
  async up(db: Kysely<unknown>): Promise<void> {
    const statements = [
      'ALTER TABLE companies DROP CONSTRAINT companies_oib_key',
      'ALTER TABLE companies ADD UNIQUE (tenant_id, oib)',
      inTypesOfPostgres(COMPANIES_OF_GATEWAYS),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
