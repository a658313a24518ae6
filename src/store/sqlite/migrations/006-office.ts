import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types. */
export const STATEMENTS = [
  'ALTER TABLE users ADD COLUMN email TEXT',
  `ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT 'hr' CHECK (language IN ('hr', 'en'))`,
  'ALTER TABLE users ADD COLUMN wants_mail INTEGER NOT NULL DEFAULT 1 CHECK (wants_mail IN (0, 1))',
  'ALTER TABLE users ADD COLUMN sealed_totp BLOB',
  // The step of the last code that was taken: each is good once.
  'ALTER TABLE users ADD COLUMN totp_step INTEGER NOT NULL DEFAULT 0',

  // Whoever has a second factor is signed in once it was shown.
  'ALTER TABLE sessions ADD COLUMN complete INTEGER NOT NULL DEFAULT 1 CHECK (complete IN (0, 1))',
  'ALTER TABLE sessions ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0',

  // Mails on their way: what is there goes out, whatever happens to the mail server or to us.
  `CREATE TABLE mails (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    recipient TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('hr', 'en')),
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    html TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'sending', 'sent', 'given_up')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    sent_at INTEGER,
    last_error TEXT
  ) STRICT`,
  `CREATE INDEX mails_waiting ON mails (next_try_at, id) WHERE status IN ('waiting', 'sending')`,
  // Who was told of an alert, and by which mail.
  `CREATE TABLE notices (
    alert_id TEXT NOT NULL REFERENCES alerts (id),
    recipient TEXT NOT NULL,
    mail_id TEXT NOT NULL REFERENCES mails (id),
    PRIMARY KEY (alert_id, recipient)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX notices_of_mail ON notices (mail_id)',
  'CREATE INDEX alerts_not_over ON alerts (tenant_id, raised_at, id) WHERE resolved_at IS NULL',

  // Both are searched by their beginning. The first characters are enough to find them, and take a third of the room.
  'CREATE INDEX invoices_by_zki ON invoices (substr(zki, 1, 8))',
  'CREATE INDEX invoices_by_jir ON invoices (substr(jir, 1, 8)) WHERE jir IS NOT NULL',
]

/** What the dashboard and the mails need: second factors, mails and whom they told, and indexes to search by. */
export const office = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
