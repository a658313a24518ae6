import { type Kysely, sql } from 'kysely'

const note = `BEGIN
    DELETE FROM outbox WHERE kind = 'company' AND id = NEW.id;
    INSERT INTO outbox (kind, id) VALUES ('company', NEW.id);
  END`

/** What the operator has said that a gateway may sell for: OIBs as JSON; null for every company of its tenant. */
export const COMPANIES_OF_GATEWAYS = 'ALTER TABLE gateways ADD COLUMN companies TEXT'

const STATEMENTS = [
  // An OIB stands once in a tenant: no tenant can keep it from another one.
  `CREATE TABLE companies_of_tenants (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    oib TEXT NOT NULL,
    vat_registered INTEGER NOT NULL CHECK (vat_registered IN (0, 1)),
    address TEXT NOT NULL,
    fiscal_config TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    created_at INTEGER NOT NULL,
    gateway_id TEXT NOT NULL DEFAULT '',
    sync_version INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant_id, oib)
  ) STRICT`,
  `INSERT INTO companies_of_tenants
    SELECT id, tenant_id, name, oib, vat_registered, address, fiscal_config, mode, status, created_at, gateway_id,
      sync_version
    FROM companies`,
  'DROP TABLE companies',
  'ALTER TABLE companies_of_tenants RENAME TO companies',
  'CREATE INDEX companies_by_creation ON companies (created_at, id)',
  `CREATE TRIGGER companies_note_what_is_new AFTER INSERT ON companies WHEN NEW.gateway_id = '' ${note}`,
  `CREATE TRIGGER companies_note_what_changes AFTER UPDATE ON companies WHEN NEW.gateway_id = '' ${note}`,
  COMPANIES_OF_GATEWAYS,
]

/** Two tenants may have a company of the same OIB, and a gateway may be kept to some companies. */
export const companiesOfTenants = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
