import { type Kysely, sql } from 'kysely'

/** Moments are epoch milliseconds, booleans 0 or 1, objects JSON text; ids are text. */
const STATEMENTS = [
  `CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT`,

  `CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE companies (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    oib TEXT NOT NULL UNIQUE,
    vat_registered INTEGER NOT NULL CHECK (vat_registered IN (0, 1)),
    address TEXT NOT NULL,
    fiscal_config TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    created_at INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    company_id TEXT NOT NULL REFERENCES companies (id),
    premises_code TEXT NOT NULL,
    premises_address TEXT,
    label TEXT NOT NULL,
    isu_number TEXT UNIQUE,
    isu_status TEXT NOT NULL CHECK (isu_status IN ('pending', 'assigned', 'mismatch')),
    device_config TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    installed_at INTEGER NOT NULL,
    last_seen_at INTEGER,
    last_success_at INTEGER,
    created_at INTEGER NOT NULL,
    UNIQUE (company_id, label),
    CHECK ((isu_status = 'pending') = (isu_number IS NULL))
  ) STRICT`,

  `CREATE TABLE certificates (
    id TEXT PRIMARY KEY,
    company_id TEXT NOT NULL REFERENCES companies (id),
    label TEXT,
    subject_oib TEXT NOT NULL,
    subject_cn TEXT NOT NULL,
    issuer TEXT NOT NULL,
    serial TEXT NOT NULL,
    not_before INTEGER NOT NULL,
    not_after INTEGER NOT NULL,
    certificate BLOB NOT NULL,
    sealed_key BLOB NOT NULL,
    uploaded_at INTEGER NOT NULL,
    superseded_at INTEGER,
    revoked_at INTEGER
  ) STRICT`,
  // At most one certificate of a company is in use at any moment.
  `CREATE UNIQUE INDEX certificates_in_use ON certificates (company_id)
    WHERE superseded_at IS NULL AND revoked_at IS NULL`,

  `CREATE TABLE numbering_levels (
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('P', 'N')),
    PRIMARY KEY (company_id, mode, premises_code, year)
  ) STRICT, WITHOUT ROWID`,

  // Numbers have up to 20 digits, more than an INTEGER holds.
  `CREATE TABLE sequences (
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL,
    highest TEXT NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    company_id TEXT NOT NULL REFERENCES companies (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    certificate_id TEXT NOT NULL REFERENCES certificates (id),
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'retrying', 'failed', 'expired')),
    jir TEXT,
    zki TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    sequence_register TEXT NOT NULL,
    number TEXT NOT NULL,
    occurred_at_text TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    document TEXT NOT NULL,
    late_delivery INTEGER NOT NULL CHECK (late_delivery IN (0, 1)),
    attempts INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    confirmed_at INTEGER,
    created_at INTEGER NOT NULL,
    last_error_class TEXT CHECK (last_error_class IN ('transient', 'validation', 'certificate')),
    error_code TEXT,
    error_message TEXT,
    CHECK ((status = 'confirmed') = (jir IS NOT NULL)),
    UNIQUE (company_id, mode, premises_code, year, sequence_register, number)
  ) STRICT`,
  // What lacks a JIR is a handful among many: the sweep and the status read only these.
  `CREATE INDEX invoices_unconfirmed ON invoices (status, deadline_at, id) WHERE status <> 'confirmed'`,

  `CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    invoice_id TEXT NOT NULL REFERENCES invoices (id),
    message_uuid TEXT NOT NULL UNIQUE,
    attempt_no INTEGER NOT NULL,
    http_status INTEGER,
    error_code TEXT,
    error_message TEXT,
    duration_ms INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    request_xml TEXT NOT NULL,
    response_xml TEXT,
    UNIQUE (invoice_id, attempt_no)
  ) STRICT`,

  `CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    invoice_id TEXT REFERENCES invoices (id),
    response_status INTEGER,
    response_body TEXT,
    PRIMARY KEY (scope, key)
  ) STRICT`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',

  `CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    hash TEXT NOT NULL UNIQUE,
    name TEXT,
    scopes TEXT NOT NULL,
    device_id TEXT REFERENCES devices (id),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT`,
]

export const initial = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
