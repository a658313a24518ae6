import { type Kysely, sql } from 'kysely'
import { inTypesOfPostgres } from '../types.ts'

/** Whose row it is, and how new it is by that gateway's outbox; '' and 0 for our own. */
const OWNERSHIP = `gateway_id TEXT NOT NULL DEFAULT '',
    sync_version INTEGER NOT NULL DEFAULT 0`

const TABLES = [
  `CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
  )`,
  `CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
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
    created_at INTEGER NOT NULL,
    ${OWNERSHIP}
  )`,
  'CREATE INDEX companies_by_creation ON companies (created_at, id)',

  `CREATE TABLE devices (
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
    ${OWNERSHIP},
    UNIQUE (company_id, label, gateway_id),
    UNIQUE (isu_number, gateway_id),
    CHECK ((isu_status = 'pending') = (isu_number IS NULL))
  )`,
  'CREATE INDEX devices_by_creation ON devices (created_at, id)',
  'CREATE INDEX devices_at_premises ON devices (company_id, premises_code)',

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
    revoked_at INTEGER,
    intermediates TEXT NOT NULL DEFAULT '[]',
    ${OWNERSHIP}
  )`,
  'CREATE INDEX certificates_of_company ON certificates (company_id, uploaded_at)',
  // At most one certificate of a company is in use at any moment.
  `CREATE UNIQUE INDEX certificates_in_use ON certificates (company_id, gateway_id)
    WHERE superseded_at IS NULL AND revoked_at IS NULL`,

  `CREATE TABLE numbering_levels (
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('P', 'N')),
    PRIMARY KEY (company_id, mode, premises_code, year)
  )`,
  // Numbers have up to 20 digits, more than an INTEGER holds, and can be put out of use before their company is there.
  `CREATE TABLE sequences (
    company_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL,
    highest TEXT NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register)
  )`,
  `CREATE TABLE reserved_numbers (
    company_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    used_to TEXT,
    reserved_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register, first)
  )`,
  `CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  )`,

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
    number_supplied INTEGER NOT NULL DEFAULT 0 CHECK (number_supplied IN (0, 1)),
    journal_position INTEGER NOT NULL DEFAULT 0,
    seal TEXT NOT NULL DEFAULT '',
    receipt TEXT,
    ${OWNERSHIP},
    CHECK ((status = 'confirmed') = (jir IS NOT NULL)),
    UNIQUE (company_id, mode, premises_code, year, sequence_register, number)
  )`,
  // Each answers one kind of list of one mode in its own order, as with SQLite.
  'CREATE INDEX invoices_by_time ON invoices (tenant_id, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_company ON invoices (company_id, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_premises ON invoices (tenant_id, premises_code, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_device ON invoices (device_id, mode, occurred_at, id)',
  `CREATE INDEX invoices_unconfirmed_by_time ON invoices (tenant_id, mode, status, occurred_at, id)
    WHERE status <> 'confirmed'`,
  `CREATE INDEX invoices_unconfirmed ON invoices (status, deadline_at, id)
    WHERE status <> 'confirmed' AND gateway_id = ''`,
  `CREATE UNIQUE INDEX invoices_journal ON invoices (company_id, mode, premises_code, journal_position)
    WHERE gateway_id = ''`,

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
    request_xml BLOB,
    response_xml BLOB,
    UNIQUE (invoice_id, attempt_no)
  )`,
  `CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    invoice_id TEXT REFERENCES invoices (id),
    response_status INTEGER,
    response_body TEXT,
    PRIMARY KEY (scope, key)
  )`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',

  `CREATE TABLE printers (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    line TEXT NOT NULL,
    profile TEXT NOT NULL,
    overrides TEXT NOT NULL,
    expire_after_s INTEGER NOT NULL
  )`,
  `CREATE TABLE print_jobs (
    invoice_id TEXT NOT NULL REFERENCES invoices (id),
    copy INTEGER NOT NULL CHECK (copy >= 0),
    device_id TEXT NOT NULL REFERENCES devices (id),
    status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'printed', 'unconfirmed', 'failed', 'expired')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    begun_at INTEGER,
    ended_at INTEGER,
    detail TEXT,
    ${OWNERSHIP},
    PRIMARY KEY (invoice_id, copy)
  )`,
  `CREATE INDEX print_jobs_open ON print_jobs (created_at) WHERE status IN ('queued', 'sending') AND gateway_id = ''`,
  'CREATE INDEX print_jobs_of_device ON print_jobs (device_id, created_at)',

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
  )`,
  `CREATE TABLE users (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    is_platform_admin INTEGER NOT NULL CHECK (is_platform_admin IN (0, 1)),
    created_at INTEGER NOT NULL
  )`,
  `CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  )`,
  'CREATE INDEX sessions_of_user ON sessions (user_id)',
  `CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    action TEXT NOT NULL,
    detail TEXT NOT NULL
  )`,
  'CREATE INDEX audit_log_by_time ON audit_log (tenant_id, at, id)',

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
    ${OWNERSHIP}
  )`,
  'CREATE UNIQUE INDEX alerts_open ON alerts (gateway_id, kind, subject) WHERE resolved_at IS NULL',
  'CREATE INDEX alerts_by_time ON alerts (tenant_id, raised_at, id)',
]

/** Of a gateway: empty here, and there all the same, so that whoever asks finds nothing instead of an error. */
const GATEWAY = [
  `CREATE TABLE outbox (
    seq INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, id)
  )`,
  `CREATE TABLE sync_enrolment (
    "only" INTEGER PRIMARY KEY CHECK ("only" = 1),
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
  )`,
  `CREATE TABLE sync_refusals (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    refused_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  )`,
  'CREATE INDEX sync_refusals_latest ON sync_refusals (refused_at)',
  `CREATE TABLE received_commands (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    type TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('begun', 'done', 'failed', 'refused', 'expired', 'interrupted')),
    result TEXT,
    told_at INTEGER
  )`,
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
  )`,
  `CREATE TABLE premises_claims (
    company_id TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    gateway_id TEXT NOT NULL REFERENCES gateways (id),
    claimed_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, premises_code)
  )`,
  'CREATE INDEX premises_claims_of_gateway ON premises_claims (gateway_id)',
  `CREATE TABLE refused_records (
    gateway_id TEXT NOT NULL REFERENCES gateways (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    refused_at INTEGER NOT NULL,
    PRIMARY KEY (gateway_id, kind, id)
  )`,
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
  )`,
  `CREATE INDEX gateway_commands_waiting ON gateway_commands (gateway_id, number) WHERE status = 'waiting'`,
  `CREATE TABLE command_attachments (
    command_id TEXT PRIMARY KEY REFERENCES gateway_commands (id),
    name TEXT NOT NULL,
    content BLOB NOT NULL
  )`,
]

const ISSUED = 'what was issued is not changed'
const KEPT = 'what was issued is kept'
const ADDED = 'the audit log is only added to'
const ONCE = 'a receipt number is given out once'
const ENDED = `('printed', 'unconfirmed', 'failed', 'expired')`

const guard = (name: string, event: string, why: string, when = 'true') =>
  `CREATE TRIGGER ${name} BEFORE ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fiskd_refuse('${why}')`

/** As `DELETE` is refused row by row; it asks no other trigger. */
const notEmptied = (name: string, why: string) =>
  `CREATE TRIGGER ${name}_are_not_emptied BEFORE TRUNCATE ON ${name}
    FOR EACH STATEMENT EXECUTE FUNCTION fiskd_refuse('${why}')`

const GUARDS = [
  `CREATE FUNCTION fiskd_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation'; END $$`,

  guard('audit_log_keeps_entries', 'DELETE ON audit_log', ADDED),
  guard('audit_log_keeps_words', 'UPDATE ON audit_log', ADDED),
  notEmptied('audit_log', ADDED),

  guard('invoices_are_kept', 'DELETE ON invoices', KEPT),
  notEmptied('invoices', KEPT),
  guard(
    'invoices_keep_what_was_issued',
    `UPDATE OF id, tenant_id, company_id, device_id, certificate_id, mode, zki, premises_code, year, sequence_register,
      number, number_supplied, occurred_at_text, occurred_at, document, receipt, deadline_at, created_at,
      journal_position, seal ON invoices`,
    ISSUED,
  ),
  guard('invoices_keep_their_owner', 'UPDATE OF gateway_id ON invoices', ISSUED),
  guard(
    'invoices_keep_their_outcome',
    'UPDATE ON invoices',
    'a confirmed or expired invoice is final',
    `OLD.status IN ('confirmed', 'expired')`,
  ),

  guard('messages_are_kept', 'DELETE ON messages', KEPT),
  notEmptied('messages', KEPT),
  guard(
    'messages_keep_what_was_said',
    `UPDATE OF id, invoice_id, message_uuid, attempt_no, http_status, error_code, error_message, duration_ms, created_at
      ON messages`,
    ISSUED,
  ),
  guard(
    'messages_keep_their_xml',
    'UPDATE OF request_xml, response_xml ON messages',
    'archived XML is only ever removed',
    'NEW.request_xml IS NOT NULL OR NEW.response_xml IS NOT NULL',
  ),

  guard('sequences_are_kept', 'DELETE ON sequences', KEPT),
  notEmptied('sequences', KEPT),
  guard(
    'sequences_only_rise',
    'UPDATE ON sequences',
    ONCE,
    `length(NEW.highest) < length(OLD.highest)
      OR (length(NEW.highest) = length(OLD.highest) AND NEW.highest < OLD.highest)
      OR (NEW.company_id, NEW.mode, NEW.premises_code, NEW.year, NEW.register)
        IS DISTINCT FROM (OLD.company_id, OLD.mode, OLD.premises_code, OLD.year, OLD.register)`,
  ),
  guard('numbering_levels_are_kept', 'DELETE ON numbering_levels', KEPT),
  guard('numbering_levels_stay', 'UPDATE ON numbering_levels', ISSUED),
  notEmptied('numbering_levels', KEPT),
  guard('reserved_numbers_are_kept', 'DELETE ON reserved_numbers', KEPT),
  guard('reserved_numbers_stay', 'UPDATE ON reserved_numbers', ISSUED),
  notEmptied('reserved_numbers', KEPT),

  guard('print_jobs_are_kept', 'DELETE ON print_jobs', 'what was printed is kept'),
  notEmptied('print_jobs', 'what was printed is kept'),
  guard(
    'print_jobs_stay_what_they_are',
    'UPDATE OF invoice_id, copy, device_id, created_at, expires_at ON print_jobs',
    'a print job is about one receipt',
  ),
  guard('print_jobs_end_once', 'UPDATE ON print_jobs', 'a print job ends once', `OLD.status IN ${ENDED}`),
  guard(
    'print_jobs_begin_once',
    'UPDATE ON print_jobs',
    'a print job begins once',
    `OLD.status = 'sending' AND (NEW.status NOT IN ${ENDED} OR NEW.begun_at IS DISTINCT FROM OLD.begun_at)`,
  ),
]

/** The schema that SQLite has after all of its changes up to this one; what notes changes is a gateway's. */
export const sync = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...GATEWAY, ...SERVER]) await sql.raw(inTypesOfPostgres(statement)).execute(db)
    for (const statement of GUARDS) await sql.raw(statement).execute(db)
  },
}
