const REFUSAL = `kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    refused_at INTEGER NOT NULL`

/** Of a gateway: what the central server has not been told, who that is, and what it has told us to do. */
const GATEWAY = [
  // The latest change of each row; a position is given out once, so that a row that changes again is behind all others.
  `CREATE TABLE outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT`,

  // Which rows from before an enrolment have no position in the outbox yet: those of this kind behind this id, and those of
  // all later kinds. What has a position up to that one may have changed since, and gets another one.
  `CREATE TABLE outbox_gap (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    after TEXT NOT NULL
  ) STRICT`,

  `CREATE TABLE sync_enrolment (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    ca_pem TEXT,
    sealed_credential BLOB NOT NULL,
    sealed_key BLOB NOT NULL,
    sealed_links BLOB,
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

  // Rows that the server has not taken, at the version that it was told.
  `CREATE TABLE sync_refusals (
    ${REFUSAL},
    since INTEGER NOT NULL,
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
    position INTEGER NOT NULL DEFAULT 0,
    heard INTEGER NOT NULL DEFAULT 0,
    session TEXT,
    session_before TEXT,
    strikes INTEGER NOT NULL DEFAULT 0,
    duplicated_at INTEGER,
    last_command INTEGER NOT NULL DEFAULT 0,
    last_seen_at INTEGER,
    reported_at INTEGER,
    heartbeat TEXT,
    -- What the operator has said that it may sell for: OIBs as JSON; null for every company of its tenant.
    companies TEXT,
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
    ${REFUSAL},
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
    status TEXT NOT NULL CHECK (status IN ('waiting', 'done', 'failed', 'refused', 'expired', 'interrupted', 'withdrawn')),
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

export const SYNC = [...GATEWAY, ...SERVER]
