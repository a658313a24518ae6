import { type Kysely, sql } from 'kysely'
import { initial } from '../../sqlite/migrations/001-initial.ts'
import { wholeV1 } from '../../sqlite/migrations/002-whole-v1.ts'
import { trust } from '../../sqlite/migrations/003-trust.ts'
import { receipts } from '../../sqlite/migrations/004-receipts.ts'
import { sync as syncOfSqlite } from '../../sqlite/migrations/005-sync.ts'
import { schemaOfSqlite } from '../schema-of-sqlite.ts'
import { inTypesOfPostgres } from '../types.ts'

/** In the order in which they refer to each other. */
const TABLES = [
  ...['meta', 'tenants', 'companies', 'devices', 'certificates', 'numbering_levels', 'sequences', 'reserved_numbers'],
  ...['leases', 'invoices', 'messages', 'idempotency_keys', 'printers', 'print_jobs', 'api_keys', 'users', 'sessions'],
  ...['audit_log', 'alerts', 'outbox', 'sync_enrolment', 'sync_refusals', 'received_commands', 'gateways'],
  ...['premises_claims', 'refused_records', 'gateway_commands', 'command_attachments'],
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

/**
 * The schema that SQLite has after all of its changes up to this one, without the triggers that note changes for the
 * outbox: they are a gateway's.
 */
export const sync = {
  async up(db: Kysely<unknown>): Promise<void> {
    const schema = await schemaOfSqlite([initial, wholeV1, trust, receipts, syncOfSqlite])
    const indexes = [...schema.keys()].filter((name) => !TABLES.includes(name))
    for (const name of [...TABLES, ...indexes]) {
      await sql.raw(inTypesOfPostgres(schema.get(name) ?? '')).execute(db)
    }
    for (const statement of GUARDS) await sql.raw(statement).execute(db)
  },
}
