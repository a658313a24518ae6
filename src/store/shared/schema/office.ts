import { OF_GATEWAY, OF_TENANT } from './registry.ts'

/** Who may do what, which mails they get, and what they have ordered. */
export const OFFICE = [
  `CREATE TABLE api_keys (
    ${OF_TENANT},
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    hash TEXT NOT NULL UNIQUE,
    name TEXT,
    scopes TEXT NOT NULL,
    device_id TEXT REFERENCES devices (id),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT`,

  `CREATE TABLE users (
    ${OF_TENANT},
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    is_platform_admin INTEGER NOT NULL CHECK (is_platform_admin IN (0, 1)),
    created_at INTEGER NOT NULL,
    email TEXT,
    language TEXT NOT NULL DEFAULT 'hr' CHECK (language IN ('hr', 'en')),
    wants_mail INTEGER NOT NULL DEFAULT 1 CHECK (wants_mail IN (0, 1)),
    sealed_totp BLOB,
    -- The step of the last code that was taken: each is good once.
    totp_step INTEGER NOT NULL DEFAULT 0,
    -- The only companies of a user, as a JSON list of ids; null for all.
    company_ids TEXT,
    -- Whose alerts a user is mailed, as such a list; null for all that the user may see.
    mail_company_ids TEXT
  ) STRICT`,

  `CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- Whoever has a second factor is signed in once it was shown.
    complete INTEGER NOT NULL DEFAULT 1 CHECK (complete IN (0, 1)),
    wrong_codes INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  'CREATE INDEX sessions_of_user ON sessions (user_id)',

  // Invitations, and links for a forgotten password.
  `CREATE TABLE password_links (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,

  // For a lost phone. Each is good once: what was used is gone.
  `CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (user_id, hash)
  ) STRICT, WITHOUT ROWID`,

  // The filters of lists that users have given names.
  `CREATE TABLE saved_views (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    list TEXT NOT NULL,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (user_id, list, name)
  ) STRICT`,

  `CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    action TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX audit_log_by_time ON audit_log (tenant_id, at, id)',

  // What a user should know: raised once, however often it is noticed, until it is resolved.
  `CREATE TABLE alerts (
    ${OF_TENANT},
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    raised_at INTEGER NOT NULL,
    acknowledged_at INTEGER,
    acknowledged_by TEXT,
    resolved_at INTEGER,
    ${OF_GATEWAY},
    -- Null for one about a machine, a gateway or several companies.
    company_id TEXT
  ) STRICT`,
  'CREATE UNIQUE INDEX alerts_open ON alerts (gateway_id, kind, subject) WHERE resolved_at IS NULL',
  'CREATE INDEX alerts_by_time ON alerts (tenant_id, raised_at, id)',
  'CREATE INDEX alerts_not_over ON alerts (tenant_id, raised_at, id) WHERE resolved_at IS NULL',

  // Mails on their way: what is there goes out, whatever happens to the mail server or to us.
  `CREATE TABLE mails (
    ${OF_TENANT},
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

  // Who got an alert, and by which mail.
  `CREATE TABLE notices (
    alert_id TEXT NOT NULL REFERENCES alerts (id),
    recipient TEXT NOT NULL,
    mail_id TEXT NOT NULL REFERENCES mails (id),
    PRIMARY KEY (alert_id, recipient)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX notices_of_mail ON notices (mail_id)',

  // Mails that people or schedules ask for, with files; apart from the mails about alerts.
  `CREATE TABLE office_mails (
    ${OF_TENANT},
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

  // Work over many rows, with the outcome of each.
  `CREATE TABLE jobs (
    ${OF_TENANT},
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    total INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX jobs_of_tenant ON jobs (tenant_id, created_at, id)',
  'CREATE INDEX jobs_going_on ON jobs (created_at, id) WHERE ended_at IS NULL',
  `CREATE TABLE job_rows (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    subject_id TEXT NOT NULL,
    label TEXT NOT NULL,
    input TEXT,
    was TEXT,
    gateway_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('todo', 'waiting', 'done', 'unchanged', 'refused')),
    command_id TEXT,
    refusal TEXT,
    PRIMARY KEY (job_id, position)
  ) STRICT`,
  'CREATE INDEX job_rows_by_state ON job_rows (job_id, state, position)',

  // Closings that are mailed by themselves.
  `CREATE TABLE closing_schedules (
    ${OF_TENANT},
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

  // Links to receipts that a person has ended. Rows come from a file, too: what they name may be missing here.
  `CREATE TABLE receipt_withdrawals (
    id TEXT PRIMARY KEY,
    invoice_id TEXT,
    company_id TEXT,
    sold_before INTEGER NOT NULL,
    at INTEGER NOT NULL,
    withdrawn_by TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX receipt_withdrawals_of_invoice ON receipt_withdrawals (invoice_id, company_id)',
  `CREATE TABLE receipt_views (
    day TEXT NOT NULL,
    company_id TEXT NOT NULL,
    views INTEGER NOT NULL,
    PRIMARY KEY (company_id, day)
  ) STRICT, WITHOUT ROWID`,
]
