import { type Kysely, sql } from 'kysely'

/** PostgreSQL has it in its own types. */
export const STATEMENTS = [
  `CREATE TABLE closing_schedules (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    unit TEXT NOT NULL CHECK (unit IN ('day', 'month')),
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    company_id TEXT,
    recipient TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('hr', 'en')),
    saved_by TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    next_starts TEXT NOT NULL,
    stopped TEXT CHECK (stopped IN ('not_allowed', 'mail_too_large'))
  ) STRICT`,
  'CREATE INDEX closing_schedules_of_tenant ON closing_schedules (tenant_id, recipient, id)',
]

/** Closings that are mailed by themselves. */
export const closingSchedules = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
