import { type Kysely, sql } from 'kysely'

const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`
const ENDED = `('printed', 'unconfirmed', 'failed', 'expired')`

const STATEMENTS = [
  // What a receipt says beside the document, as JSON; NULL for what was issued before.
  'ALTER TABLE invoices ADD COLUMN receipt TEXT',
  'DROP TRIGGER invoices_keep_what_was_issued',
  `CREATE TRIGGER invoices_keep_what_was_issued BEFORE UPDATE OF id, tenant_id, company_id, device_id, certificate_id,
    mode, zki, premises_code, year, sequence_register, number, number_supplied, occurred_at_text, occurred_at, document,
    receipt, deadline_at, created_at, journal_position, seal ON invoices ${refuse('what was issued is not changed')}`,

  `CREATE TABLE printers (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    line TEXT NOT NULL,
    profile TEXT NOT NULL,
    overrides TEXT NOT NULL,
    expire_after_s INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,

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
    PRIMARY KEY (invoice_id, copy)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX print_jobs_open ON print_jobs (created_at) WHERE status IN ('queued', 'sending')`,
  'CREATE INDEX print_jobs_of_device ON print_jobs (device_id, created_at)',
  `CREATE TRIGGER print_jobs_are_kept BEFORE DELETE ON print_jobs ${refuse('what was printed is kept')}`,
  `CREATE TRIGGER print_jobs_stay_what_they_are BEFORE UPDATE OF invoice_id, copy, device_id, created_at, expires_at
    ON print_jobs ${refuse('a print job is about one receipt')}`,
  `CREATE TRIGGER print_jobs_end_once BEFORE UPDATE ON print_jobs WHEN OLD.status IN ${ENDED}
    ${refuse('a print job ends once')}`,
  `CREATE TRIGGER print_jobs_begin_once BEFORE UPDATE ON print_jobs WHEN OLD.status = 'sending' AND
    (NEW.status NOT IN ${ENDED} OR NEW.begun_at IS NOT OLD.begun_at) ${refuse('a print job begins once')}`,
  // INSERT OR REPLACE deletes without asking the trigger that refuses it.
  `CREATE TRIGGER print_jobs_are_not_replaced BEFORE INSERT ON print_jobs WHEN EXISTS (
    SELECT 1 FROM print_jobs WHERE invoice_id = NEW.invoice_id AND copy = NEW.copy)
    ${refuse('a print job is not replaced')}`,
]

/** What receipts say, the printers of devices, and the receipts on their way to paper. */
export const receipts = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
