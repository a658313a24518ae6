import { type Kysely, sql } from 'kysely'

export const JOBS = [
  `CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    total INTEGER NOT NULL
  )`,
  'CREATE INDEX jobs_of_tenant ON jobs (tenant_id, created_at, id)',
  'CREATE INDEX jobs_going_on ON jobs (created_at, id) WHERE ended_at IS NULL',
  `CREATE TABLE job_rows (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    subject_id TEXT NOT NULL,
    label TEXT NOT NULL,
    input TEXT,
    gateway_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('todo', 'waiting', 'done', 'unchanged', 'refused')),
    command_id TEXT,
    refusal TEXT,
    PRIMARY KEY (job_id, position)
  )`,
  'CREATE INDEX job_rows_by_state ON job_rows (job_id, state, position)',
]

/** Work over many rows, with the outcome of each. */
export const jobs = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of JOBS) {
      const table = statement.startsWith('CREATE TABLE')
      await sql.raw(table ? `${statement} STRICT` : statement).execute(db)
    }
  },
}
