import { type Kysely, sql } from 'kysely'

const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`

export const CLOSED = 'a closing is not changed'
export const KEPT = 'a closing is kept'

/** PostgreSQL has it in its own types. */
export const TABLE = `CREATE TABLE closings (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    premises_code TEXT NOT NULL,
    unit TEXT NOT NULL CHECK (unit IN ('day', 'month')),
    starts TEXT NOT NULL,
    number INTEGER NOT NULL,
    closed_at INTEGER NOT NULL,
    closed_by TEXT NOT NULL,
    invoices INTEGER NOT NULL,
    document TEXT NOT NULL,
    members BLOB NOT NULL,
    UNIQUE (tenant_id, mode, unit, starts, company_id, premises_code, number)
  ) STRICT`
export const INDEX = 'CREATE INDEX closings_latest ON closings (closed_at, id)'

const STATEMENTS = [
  TABLE,
  INDEX,
  `CREATE TRIGGER closings_are_kept BEFORE DELETE ON closings ${refuse(KEPT)}`,
  `CREATE TRIGGER closings_stay BEFORE UPDATE ON closings ${refuse(CLOSED)}`,
  // INSERT OR REPLACE deletes and updates without asking the triggers of either.
  `CREATE TRIGGER closings_are_not_replaced BEFORE INSERT ON closings WHEN EXISTS (
    SELECT 1 FROM closings WHERE id = NEW.id OR (tenant_id, mode, unit, starts, company_id, premises_code, number)
      = (NEW.tenant_id, NEW.mode, NEW.unit, NEW.starts, NEW.company_id, NEW.premises_code, NEW.number))
    ${refuse(CLOSED)}`,
]

/** Closed days and months of premises. */
export const closings = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
