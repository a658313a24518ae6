import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types. */
export const STATEMENTS = [
  // Apart from the mails about alerts: a process of an older version would give up a mail that has none.
  `CREATE TABLE office_mails (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    company_id TEXT,
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    once TEXT NOT NULL,
    requested_by TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    html TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'sending', 'sent', 'given_up')),
    attempts INTEGER NOT NULL,
    next_try_at INTEGER NOT NULL,
    sent_at INTEGER,
    last_error TEXT,
    UNIQUE (tenant_id, once)
  ) STRICT`,
  `CREATE INDEX office_mails_waiting ON office_mails (next_try_at, id) WHERE status IN ('waiting', 'sending')`,
  'CREATE INDEX office_mails_about ON office_mails (tenant_id, about, created_at, id)',
  'CREATE INDEX office_mails_by_user ON office_mails (tenant_id, requested_by, created_at)',
  'CREATE INDEX office_mails_by_age ON office_mails (created_at, id)',
  `CREATE TABLE office_mail_files (
    mail_id TEXT NOT NULL REFERENCES office_mails (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (mail_id, position)
  ) STRICT`,
]

/** Mails that people or schedules ask for, with files. */
export const officeMails = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
