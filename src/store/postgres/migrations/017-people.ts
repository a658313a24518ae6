import { type Kysely, sql } from 'kysely'
import { STATEMENTS } from '../../sqlite/migrations/014-people.ts'
import { inTypesOfPostgres } from '../types.ts'

/** Of the alerts that are stored already. */
const COMPANY_OF_ALERT = `UPDATE alerts SET company_id = coalesce(
  (SELECT id FROM companies WHERE id = alerts.detail::jsonb ->> 'company_id' AND tenant_id = alerts.tenant_id),
  (SELECT company_id FROM devices WHERE id = alerts.detail::jsonb ->> 'device_id' AND tenant_id = alerts.tenant_id))
  WHERE resolved_at IS NULL`

export const people = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
    await sql.raw(COMPANY_OF_ALERT).execute(db)
  },
}
