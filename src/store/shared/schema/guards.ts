export interface Guard {
  name: string
  /** Such as `DELETE ON invoices`. */
  before: string
  why: string
  when?: string
}

export const KEPT = 'what was issued is kept'
export const ISSUED = 'what was issued is not changed'
export const ONCE = 'a receipt number is given out once'
export const ADDED = 'the audit log is only added to'
export const PRINTED = 'what was printed is kept'
export const CLOSED = 'a closing is not changed'
export const CLOSINGS_KEPT = 'a closing is kept'
const LOGOS_KEPT = 'a receipt keeps its logo'
export const COUNTED_ONCE = 'a sale is counted once, when it is stored'

const ENDED = `('printed', 'unconfirmed', 'failed', 'expired')`

const SAME_SEQUENCE = `company_id = OLD.company_id AND mode = OLD.mode AND premises_code = OLD.premises_code
  AND year = OLD.year AND register = OLD.register`

/** Where a sequence falls, or a range of reserved numbers ends earlier, the number that it ended at is passed over. */
export const isAhead = (column: string) =>
  `EXISTS (SELECT 1 FROM numbers_ahead WHERE ${SAME_SEQUENCE} AND number = OLD.${column})`

export const lower = (column: string) =>
  `(length(NEW.${column}) < length(OLD.${column})
    OR (length(NEW.${column}) = length(OLD.${column}) AND NEW.${column} < OLD.${column}))`

/** How a database compares what may be NULL. */
export type Differ = 'IS NOT' | 'IS DISTINCT FROM'

/** Whether the sequence of a row, or one of the other columns, becomes another one. */
export const keyChanges = (differ: Differ, ...columns: string[]) => {
  const all = ['company_id', 'mode', 'premises_code', 'year', 'register', ...columns]
  return `(${all.map((column) => `NEW.${column} ${differ} OLD.${column}`).join(' OR ')})`
}

const kept = (table: string, why = KEPT): Guard => ({ name: `${table}_are_kept`, before: `DELETE ON ${table}`, why })
const stay = (table: string, why = ISSUED): Guard => ({ name: `${table}_stay`, before: `UPDATE ON ${table}`, why })

/** The guards that both databases write alike. */
export const guards = (differ: Differ): readonly Guard[] => [
  { name: 'audit_log_keeps_entries', before: 'DELETE ON audit_log', why: ADDED },
  { name: 'audit_log_keeps_words', before: 'UPDATE ON audit_log', why: ADDED },

  kept('invoices'),
  {
    name: 'invoices_keep_what_was_issued',
    before: `UPDATE OF id, tenant_id, company_id, device_id, certificate_id,
    mode, zki, premises_code, year, sequence_register, number, number_supplied, occurred_at_text, occurred_at, document,
    receipt, deadline_at, created_at, journal_position, seal ON invoices`,
    why: ISSUED,
  },
  { name: 'invoices_keep_their_owner', before: 'UPDATE OF gateway_id ON invoices', why: ISSUED },
  {
    name: 'invoices_keep_their_outcome',
    before: 'UPDATE ON invoices',
    why: 'a confirmed or expired invoice is final',
    when: `OLD.status IN ('confirmed', 'expired')`,
  },

  kept('messages'),
  {
    name: 'messages_keep_what_was_said',
    before: `UPDATE OF id, invoice_id, message_uuid, attempt_no, http_status,
    error_code, error_message, duration_ms, created_at ON messages`,
    why: ISSUED,
  },
  {
    name: 'messages_keep_their_xml',
    before: 'UPDATE OF request_xml, response_xml ON messages',
    why: 'archived XML is only ever removed',
    when: 'NEW.request_xml IS NOT NULL OR NEW.response_xml IS NOT NULL',
  },

  kept('sequences'),
  kept('numbering_levels'),
  stay('numbering_levels'),
  kept('reserved_numbers'),
  kept('numbers_ahead'),
  stay('numbers_ahead'),

  kept('print_jobs', PRINTED),
  {
    name: 'print_jobs_stay_what_they_are',
    before: 'UPDATE OF invoice_id, copy, device_id, created_at, expires_at ON print_jobs',
    why: 'a print job is about one receipt',
  },
  {
    // An original that expired before its first byte may still be given out over `/v1`, once.
    name: 'print_jobs_end_once',
    before: 'UPDATE ON print_jobs',
    why: 'a print job ends once',
    when: `OLD.status IN ${ENDED} AND NOT (OLD.status = 'expired' AND OLD.begun_at IS NULL AND
  OLD.copy = 0 AND NEW.status = 'unconfirmed' AND NEW.begun_at IS NOT NULL)`,
  },
  {
    name: 'print_jobs_begin_once',
    before: 'UPDATE ON print_jobs',
    why: 'a print job begins once',
    when: `OLD.status = 'sending' AND (NEW.status NOT IN ${ENDED} OR NEW.begun_at ${differ} OLD.begun_at)`,
  },

  { name: 'turnover_is_kept', before: 'DELETE ON turnover', why: COUNTED_ONCE },
  {
    name: 'turnover_only_rises',
    before: 'UPDATE ON turnover',
    why: COUNTED_ONCE,
    when: 'NEW.invoices <= OLD.invoices',
  },
  kept('authority_requests'),
  {
    name: 'authority_requests_stay_what_they_are',
    before: `UPDATE OF id, tenant_id, company_id, mode, premises_code, invoice_id, asked, requested_by, message_id, sent_at,
    job_row, gateway_id ON authority_requests`,
    why: ISSUED,
  },
  {
    name: 'authority_requests_end_once',
    before: 'UPDATE OF state, answered_at, code, message, request_xml, response_xml ON authority_requests',
    why: 'an answer of the tax authority is not changed',
    when: `OLD.state IN ('done', 'refused')`,
  },
  kept('closings', CLOSINGS_KEPT),
  stay('closings', CLOSED),
  { name: 'logos_keep_on_delete', before: 'DELETE ON logos', why: LOGOS_KEPT },
  { name: 'logos_keep_on_update', before: 'UPDATE ON logos', why: LOGOS_KEPT },
]
