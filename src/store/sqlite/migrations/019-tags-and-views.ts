import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types. */
export const STATEMENTS = [
  // Apart from the devices, which gateways send whole: what the office calls them stays here.
  `CREATE TABLE device_tags (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    device_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (tenant_id, device_id, tag)
  ) STRICT`,
  `CREATE TABLE saved_views (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    list TEXT NOT NULL,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (user_id, list, name)
  ) STRICT`,
]

/** Tags of devices, and the filters of lists that users have given names. */
export const tagsAndViews = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
