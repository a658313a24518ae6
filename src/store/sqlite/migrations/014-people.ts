import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types; a process of the release before reads and writes around them. */
export const STATEMENTS = [
  // The only companies of a user, as a JSON list of ids; null for all.
  'ALTER TABLE users ADD COLUMN company_ids TEXT',
  // Whose alerts a user is mailed, as such a list; null for all that the user may see.
  'ALTER TABLE users ADD COLUMN mail_company_ids TEXT',
  // The company that an alert is about; null for one about a machine, a gateway or several companies.
  'ALTER TABLE alerts ADD COLUMN company_id TEXT',
]

/**
 * Of the alerts from gateways that are stored already. Own ones would go out to the server once more; they name their
 * company when they are raised or change next.
 */
const COMPANY_OF_ALERT = `UPDATE alerts SET company_id = coalesce(
  (SELECT id FROM companies WHERE id = json_extract(alerts.detail, '$.company_id') AND tenant_id = alerts.tenant_id),
  (SELECT company_id FROM devices WHERE id = json_extract(alerts.detail, '$.device_id') AND tenant_id = alerts.tenant_id))
  WHERE gateway_id <> ''`

/** Users who are limited to some companies. */
export const people = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
    await sql.raw(COMPANY_OF_ALERT).execute(db)
  },
}
