import { TURNOVER_INDEX, TURNOVER_TABLE } from '../figures/turnover-statements.ts'
import { OF_GATEWAY, OF_TENANT } from './registry.ts'

const SEQUENCE = `company_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL`

/** Receipt numbers have up to 20 digits, more than an INTEGER holds. */
const NUMBERS = [
  `CREATE TABLE numbering_levels (
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('P', 'N')),
    PRIMARY KEY (company_id, mode, premises_code, year)
  ) STRICT, WITHOUT ROWID`,

  // Numbers can be put out of use before their company is there again.
  `CREATE TABLE sequences (
    ${SEQUENCE},
    highest TEXT NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register)
  ) STRICT, WITHOUT ROWID`,

  // Numbers that a restored backup cannot know to be unused: they are never given out.
  `CREATE TABLE reserved_numbers (
    ${SEQUENCE},
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    used_to TEXT,
    reserved_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register, first)
  ) STRICT, WITHOUT ROWID`,

  // Numbers that counting does not follow, and a way back for a sequence that followed one.
  `CREATE TABLE numbers_ahead (
    ${SEQUENCE},
    number TEXT NOT NULL,
    -- Of the sale that has it; NULL where a database has it that is not here any more.
    invoice_id TEXT,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register, number)
  ) STRICT, WITHOUT ROWID`,
]

const INVOICES = [
  `CREATE TABLE invoices (
    ${OF_TENANT},
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
    -- What the tax authority finds in the message that got the JIR: codes with blanks between.
    delivery_findings TEXT,
    -- The caller chose the number: the numbers it passed over were never issued.
    number_supplied INTEGER NOT NULL DEFAULT 0 CHECK (number_supplied IN (0, 1)),
    journal_position INTEGER NOT NULL DEFAULT 0,
    -- SHA-256 of the entry and of the seal before it, lowercase hex.
    seal TEXT NOT NULL DEFAULT '',
    -- What a receipt says beside the document, as JSON.
    receipt TEXT,
    ${OF_GATEWAY},
    CHECK ((status = 'confirmed') = (jir IS NOT NULL)),
    UNIQUE (company_id, mode, premises_code, year, sequence_register, number)
  ) STRICT`,
  // Each answers one kind of list of one mode in its own order: a page costs the same however long the list is.
  'CREATE INDEX invoices_by_time ON invoices (tenant_id, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_company ON invoices (company_id, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_premises ON invoices (tenant_id, premises_code, mode, occurred_at, id)',
  'CREATE INDEX invoices_by_device ON invoices (device_id, mode, occurred_at, id)',
  // A gateway has no invoices of other ones, and pays nothing for it.
  `CREATE INDEX invoices_by_gateway ON invoices (gateway_id, mode, occurred_at, id) WHERE gateway_id <> ''`,
  `CREATE INDEX invoices_unconfirmed_by_time ON invoices (tenant_id, mode, status, occurred_at, id)
    WHERE status <> 'confirmed'`,
  // Both are searched by their beginning. The first characters are enough to find them, and take a third of the room.
  'CREATE INDEX invoices_by_zki ON invoices (substr(zki, 1, 8))',
  'CREATE INDEX invoices_by_jir ON invoices (substr(jir, 1, 8)) WHERE jir IS NOT NULL',
  // The gateway that sells at a premises keeps its journal; the invoices that it sends stand in no chain of ours.
  `CREATE UNIQUE INDEX invoices_journal ON invoices (company_id, mode, premises_code, journal_position)
    WHERE gateway_id = ''`,

  // XML is gzip, and NULL where it was not kept for want of room or is no longer kept.
  `CREATE TABLE messages (
    id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    message_uuid TEXT NOT NULL,
    attempt_no INTEGER NOT NULL,
    http_status INTEGER,
    error_code TEXT,
    error_message TEXT,
    duration_ms INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    request_xml BLOB,
    response_xml BLOB,
    FOREIGN KEY (invoice_id) REFERENCES invoices (id),
    PRIMARY KEY (id), UNIQUE (message_uuid), UNIQUE (invoice_id, attempt_no)
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

  // The key is the promise: one original, copy 0, for an invoice.
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
    ${OF_GATEWAY},
    -- Why it did not come out. No list of values: a newer gateway may send reasons that are unknown here.
    reason TEXT,
    PRIMARY KEY (invoice_id, copy)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX print_jobs_open ON print_jobs (created_at) WHERE status IN ('queued', 'sending') AND gateway_id = ''`,
  'CREATE INDEX print_jobs_of_device ON print_jobs (device_id, created_at)',

  TURNOVER_TABLE,
  TURNOVER_INDEX,

  // Closed days and months of premises.
  `CREATE TABLE closings (
    ${OF_TENANT},
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
  ) STRICT`,
  'CREATE INDEX closings_latest ON closings (closed_at, id)',

  // What was asked of the tax authority beside sales: working hours, and corrections of invoices, which stay as issued.
  `CREATE TABLE authority_requests (
    ${OF_TENANT},
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    premises_code TEXT NOT NULL,
    invoice_id TEXT REFERENCES invoices (id),
    asked TEXT NOT NULL,
    requested_by TEXT NOT NULL,
    message_id TEXT NOT NULL UNIQUE,
    sent_at INTEGER NOT NULL,
    job_row TEXT,
    state TEXT NOT NULL CHECK (state IN ('sent', 'done', 'refused', 'unknown')),
    answered_at INTEGER,
    code TEXT,
    message TEXT,
    request_xml TEXT,
    response_xml TEXT,
    ${OF_GATEWAY}
  ) STRICT`,
  'CREATE INDEX authority_requests_of_invoice ON authority_requests (invoice_id, sent_at) WHERE invoice_id IS NOT NULL',
  'CREATE INDEX authority_requests_of_premises ON authority_requests (company_id, premises_code, sent_at)',
  'CREATE INDEX authority_requests_of_job ON authority_requests (job_row, sent_at) WHERE job_row IS NOT NULL',
]

/** Receipt numbers, sales, what follows from a sale, and their sums. @param messages the statements that make that table */
export const SALES = [...NUMBERS, ...INVOICES]
