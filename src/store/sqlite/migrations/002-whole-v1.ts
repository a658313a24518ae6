import { type Kysely, sql } from 'kysely'

/** Lists by place, users with their sessions, and the audit log. */
const STATEMENTS = [
  // Each answers one kind of list of one mode in its own order: a page costs the same however long the list is, and
  // however little of it is wanted.
  'CREATE INDEX invoices_by_time ON invoices (tenant_id, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_company ON invoices (company_id, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_premises ON invoices (tenant_id, premises_code, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_device ON invoices (device_id, mode, occurred_at, id)',
  `CREATE INDEX invoices_unconfirmed_by_time ON invoices (tenant_id, mode, status, occurred_at, id)
    WHERE status <> 'confirmed'`,
  'CREATE INDEX companies_by_creation ON companies (created_at, id)',
  'CREATE INDEX devices_by_creation ON devices (created_at, id)',
  'CREATE INDEX certificates_of_company ON certificates (company_id, uploaded_at)',

  // A JSON array of base64: a chain is checked again when its company changes its mode.
  `ALTER TABLE certificates ADD COLUMN intermediates TEXT NOT NULL DEFAULT '[]'`,

  `CREATE TABLE users (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    is_platform_admin INTEGER NOT NULL CHECK (is_platform_admin IN (0, 1)),
    created_at INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX sessions_of_user ON sessions (user_id)',

  `CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    action TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX audit_log_by_time ON audit_log (tenant_id, at, id)',
  `CREATE TRIGGER audit_log_keeps_entries BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END`,
  `CREATE TRIGGER audit_log_keeps_words BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END`,
]

export const wholeV1 = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
