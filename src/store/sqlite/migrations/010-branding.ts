import { type Kysely, sql } from 'kysely'

/** PostgreSQL has it in its own types. */
export const TABLE = `CREATE TABLE branding (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    name TEXT,
    logo BLOB,
    -- SHA-256 of the logo, which its address names.
    logo_hash TEXT
  ) STRICT`

/** Name and logo of a tenant, which its pages show. */
export const branding = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(TABLE).execute(db)
  },
}
