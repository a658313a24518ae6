import { type Kysely, sql } from 'kysely'

const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`

/** Whose row it is: the gateway that told of it, and how new it is by that gateway's outbox; '' and 0 for our own. */
const ownership = (table: string) => [
  `ALTER TABLE ${table} ADD COLUMN gateway_id TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE ${table} ADD COLUMN sync_version INTEGER NOT NULL DEFAULT 0`,
]

const OWNERS = [
  ...['companies', 'certificates', 'invoices', 'print_jobs'].flatMap(ownership),

  // Labels and ISU numbers are unique in what one gateway says; over several both rows are kept, and told as a conflict.
  `CREATE TABLE devices_of_all (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    company_id TEXT NOT NULL REFERENCES companies (id),
    premises_code TEXT NOT NULL,
    premises_address TEXT,
    label TEXT NOT NULL,
    isu_number TEXT,
    isu_status TEXT NOT NULL CHECK (isu_status IN ('pending', 'assigned', 'mismatch')),
    device_config TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    installed_at INTEGER NOT NULL,
    last_seen_at INTEGER,
    last_success_at INTEGER,
    created_at INTEGER NOT NULL,
    gateway_id TEXT NOT NULL DEFAULT '',
    sync_version INTEGER NOT NULL DEFAULT 0,
    UNIQUE (company_id, label, gateway_id),
    UNIQUE (isu_number, gateway_id),
    CHECK ((isu_status = 'pending') = (isu_number IS NULL))
  ) STRICT`,
  `INSERT INTO devices_of_all (id, tenant_id, company_id, premises_code, premises_address, label, isu_number,
      isu_status, device_config, status, installed_at, last_seen_at, last_success_at, created_at)
    SELECT id, tenant_id, company_id, premises_code, premises_address, label, isu_number, isu_status, device_config,
      status, installed_at, last_seen_at, last_success_at, created_at FROM devices`,
  'DROP TABLE devices',
  'ALTER TABLE devices_of_all RENAME TO devices',
  'CREATE INDEX devices_by_creation ON devices (created_at, id)',
  'CREATE INDEX devices_at_premises ON devices (company_id, premises_code)',

  'DROP INDEX certificates_in_use',
  `CREATE UNIQUE INDEX certificates_in_use ON certificates (company_id, gateway_id)
    WHERE superseded_at IS NULL AND revoked_at IS NULL`,
  // The journal of a premises is kept by whoever sells there; what is told of it stands in no chain of ours.
  'DROP INDEX invoices_journal',
  `CREATE UNIQUE INDEX invoices_journal ON invoices (company_id, mode, premises_code, journal_position)
    WHERE gateway_id = ''`,
  // What we must send ourselves.
  'DROP INDEX invoices_unconfirmed',
  `CREATE INDEX invoices_unconfirmed ON invoices (status, deadline_at, id)
    WHERE status <> 'confirmed' AND gateway_id = ''`,
  'DROP INDEX print_jobs_open',
  `CREATE INDEX print_jobs_open ON print_jobs (created_at) WHERE status IN ('queued', 'sending') AND gateway_id = ''`,
  `CREATE TRIGGER invoices_keep_their_owner BEFORE UPDATE OF gateway_id ON invoices
    ${refuse('what was issued is not changed')}`,
]

const ALERTS = [
  // Something somebody should know: raised once, however often it is noticed, until it is resolved.
  `CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    raised_at INTEGER NOT NULL,
    acknowledged_at INTEGER,
    acknowledged_by TEXT,
    resolved_at INTEGER,
    gateway_id TEXT NOT NULL DEFAULT '',
    sync_version INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  'CREATE UNIQUE INDEX alerts_open ON alerts (gateway_id, kind, subject) WHERE resolved_at IS NULL',
  'CREATE INDEX alerts_by_time ON alerts (tenant_id, raised_at, id)',
]

/** Of a gateway: what the central server has not been told, who that is, and what it has told us to do. */
const GATEWAY = [
  // The latest change of each row; a place is given out once, so that a row that changes again is behind all others.
  `CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT`,
  `CREATE TABLE sync_enrolment (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    ca_pem TEXT,
    sealed_credential BLOB NOT NULL,
    sealed_key BLOB NOT NULL,
    gateway_id TEXT NOT NULL,
    name TEXT,
    server_id TEXT,
    server_key TEXT,
    position INTEGER NOT NULL,
    pushed INTEGER NOT NULL,
    tell_again_to INTEGER,
    told_at INTEGER,
    server_program TEXT,
    numbers TEXT NOT NULL,
    last_command INTEGER NOT NULL,
    enrolled_at INTEGER NOT NULL
  ) STRICT`,
  // Rows that the server has refused, at the version that it refused.
  `CREATE TABLE sync_refusals (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    refused_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX sync_refusals_latest ON sync_refusals (refused_at)',
  `CREATE TABLE received_commands (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    type TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('begun', 'done', 'failed', 'refused', 'expired', 'interrupted')),
    result TEXT,
    told_at INTEGER
  ) STRICT`,
  'CREATE INDEX received_commands_untold ON received_commands (number) WHERE told_at IS NULL',
]

/** Of a server: its gateways, what they may tell, and what they are to do. */
const SERVER = [
  `CREATE TABLE gateways (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    token_hash TEXT UNIQUE,
    token_expires_at INTEGER,
    credential_hash TEXT UNIQUE,
    public_key TEXT,
    enrolled_at INTEGER,
    revoked_at INTEGER,
    mark INTEGER NOT NULL DEFAULT 0,
    heard INTEGER NOT NULL DEFAULT 0,
    session TEXT,
    session_before TEXT,
    strikes INTEGER NOT NULL DEFAULT 0,
    duplicated_at INTEGER,
    last_command INTEGER NOT NULL DEFAULT 0,
    last_seen_at INTEGER,
    reported_at INTEGER,
    heartbeat TEXT,
    UNIQUE (tenant_id, name)
  ) STRICT`,
  // A premises has one numbering authority.
  `CREATE TABLE premises_claims (
    company_id TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    gateway_id TEXT NOT NULL REFERENCES gateways (id),
    claimed_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, premises_code)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX premises_claims_of_gateway ON premises_claims (gateway_id)',
  // What gateways sent and we refused: the newest word on each row.
  `CREATE TABLE refused_records (
    gateway_id TEXT NOT NULL REFERENCES gateways (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    refused_at INTEGER NOT NULL,
    PRIMARY KEY (gateway_id, kind, id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE gateway_commands (
    id TEXT PRIMARY KEY,
    gateway_id TEXT NOT NULL REFERENCES gateways (id),
    number INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    issued_by TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'done', 'failed', 'refused', 'expired', 'interrupted')),
    sent_at INTEGER,
    answered_at INTEGER,
    result TEXT,
    UNIQUE (gateway_id, number)
  ) STRICT`,
  // Looked at every other second, over all gateways.
  `CREATE INDEX gateway_commands_waiting ON gateway_commands (gateway_id, number) WHERE status = 'waiting'`,
  // What a command brought back that is no JSON, such as a support bundle.
  `CREATE TABLE command_attachments (
    command_id TEXT PRIMARY KEY REFERENCES gateway_commands (id),
    name TEXT NOT NULL,
    content BLOB NOT NULL
  ) STRICT`,
]

const note = (kind: string, id: string) =>
  `BEGIN
    DELETE FROM outbox WHERE kind = '${kind}' AND id = ${id};
    INSERT INTO outbox (kind, id) VALUES ('${kind}', ${id});
  END`

const IS_OURS = `NEW.gateway_id = ''`

/** No change can be forgotten: the database itself writes it down, in the transaction that makes it. */
const noted = (table: string, kind: string, id = 'NEW.id', isOurs = IS_OURS) => [
  `CREATE TRIGGER ${table}_note_what_is_new AFTER INSERT ON ${table} WHEN ${isOurs} ${note(kind, id)}`,
  `CREATE TRIGGER ${table}_note_what_changes AFTER UPDATE ON ${table} WHEN ${isOurs} ${note(kind, id)}`,
]

const OUTBOX = [
  ...noted('companies', 'company'),
  ...noted('certificates', 'certificate'),
  ...noted('devices', 'device'),
  ...noted('invoices', 'invoice'),
  `CREATE TRIGGER messages_note_what_is_new AFTER INSERT ON messages
    WHEN EXISTS (SELECT 1 FROM invoices WHERE id = NEW.invoice_id AND gateway_id = '') ${note('message', 'NEW.id')}`,
  ...noted('print_jobs', 'print_job', `NEW.invoice_id || '/' || NEW.copy`),
  ...noted('alerts', 'alert'),
  // In the order in which rows rest on each other.
  `INSERT INTO outbox (kind, id) SELECT 'company', id FROM companies ORDER BY created_at, id`,
  `INSERT INTO outbox (kind, id) SELECT 'certificate', id FROM certificates ORDER BY uploaded_at, id`,
  `INSERT INTO outbox (kind, id) SELECT 'device', id FROM devices ORDER BY created_at, id`,
  `INSERT INTO outbox (kind, id) SELECT 'invoice', id FROM invoices ORDER BY id`,
  `INSERT INTO outbox (kind, id) SELECT 'message', id FROM messages ORDER BY created_at, id`,
  `INSERT INTO outbox (kind, id) SELECT 'print_job', invoice_id || '/' || copy FROM print_jobs ORDER BY created_at`,
]

/** The gateways of a central server, their rows beside our own, and the outbox that fills it. */
export const sync = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...OWNERS, ...ALERTS, ...GATEWAY, ...SERVER, ...OUTBOX]) {
      await sql.raw(statement).execute(db)
    }
  },
}
