import { type Kysely, sql } from 'kysely'
import { countSales, TURNOVER_OF_SQLITE } from '../shared/figures/turnover-statements.ts'
import { ADDED, CLOSED, type Guard, guards, ISSUED, isAhead, keyChanges, lower, ONCE } from '../shared/schema/guards.ts'
import { OFFICE } from '../shared/schema/office.ts'
import { REGISTRY } from '../shared/schema/registry.ts'
import { SALES } from '../shared/schema/sales.ts'
import { SYNC } from '../shared/schema/sync.ts'

const TABLES = [...REGISTRY, ...SALES, ...OFFICE, ...SYNC]

const INDEXES = [
  // What lacks a JIR is a handful among many: the sweep and the status read only these, of what we must send ourselves. An
  // invoice is pending for as long as its first message is under way: its entry would be written and removed at once.
  `CREATE INDEX invoices_unconfirmed ON invoices (status, deadline_at, id)
    WHERE status <> 'confirmed' AND status <> 'pending' AND gateway_id = ''`,
  `CREATE INDEX invoices_by_amount ON invoices (tenant_id, mode,
    CAST(replace(json_extract(document, '$.total'), '.', '') AS INTEGER), occurred_at, id)`,
]

const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`

const guard = ({ name, before, why, when }: Guard) =>
  `CREATE TRIGGER ${name} BEFORE ${before} ${when === undefined ? '' : `WHEN ${when} `}${refuse(why)}`

/** INSERT OR REPLACE deletes and updates without asking the triggers of either. */
const notReplaced = (table: string, key: string[], why = ISSUED) =>
  `CREATE TRIGGER ${table}_are_not_replaced BEFORE INSERT ON ${table} WHEN EXISTS (
    SELECT 1 FROM ${table} WHERE ${key.map((column) => `${column} = NEW.${column}`).join(' AND ')}) ${refuse(why)}`

const SEQUENCE = ['company_id', 'mode', 'premises_code', 'year', 'register']

const GUARDS = [
  ...guards('IS NOT').map(guard),
  `CREATE TRIGGER sequences_only_rise BEFORE UPDATE ON sequences
    WHEN ${keyChanges('IS NOT')} OR (${lower('highest')} AND NOT ${isAhead('highest')}) ${refuse(ONCE)}`,
  `CREATE TRIGGER reserved_numbers_stay BEFORE UPDATE ON reserved_numbers
    WHEN ${keyChanges('IS NOT', 'first', 'reserved_at')} OR NOT ${lower('last')} OR NOT ${isAhead('last')} ${refuse(ISSUED)}`,
  `CREATE TRIGGER sequences_are_not_replaced BEFORE INSERT ON sequences WHEN EXISTS (
    SELECT 1 FROM sequences WHERE (company_id, mode, premises_code, year, register)
        = (NEW.company_id, NEW.mode, NEW.premises_code, NEW.year, NEW.register)
      AND (length(highest) > length(NEW.highest)
        OR (length(highest) = length(NEW.highest) AND highest > NEW.highest)))
    ${refuse(ONCE)}`,
  notReplaced('invoices', ['id']),
  notReplaced('messages', ['id']),
  notReplaced('numbering_levels', ['company_id', 'mode', 'premises_code', 'year']),
  notReplaced('reserved_numbers', [...SEQUENCE, 'first']),
  notReplaced('numbers_ahead', [...SEQUENCE, 'number']),
  notReplaced('audit_log', ['id'], ADDED),
  notReplaced('authority_requests', ['id']),
  notReplaced('print_jobs', ['invoice_id', 'copy'], 'a print job is not replaced'),
  `CREATE TRIGGER closings_are_not_replaced BEFORE INSERT ON closings WHEN EXISTS (
    SELECT 1 FROM closings WHERE id = NEW.id OR (tenant_id, mode, unit, starts, company_id, premises_code, number)
      = (NEW.tenant_id, NEW.mode, NEW.unit, NEW.starts, NEW.company_id, NEW.premises_code, NEW.number))
    ${refuse(CLOSED)}`,
]

/** The row that a trigger is about, as a table. */
const NEW_INVOICE = `(SELECT NEW.id AS id, NEW.tenant_id AS tenant_id, NEW.mode AS mode, NEW.company_id AS company_id,
  NEW.premises_code AS premises_code, NEW.device_id AS device_id, NEW.document AS document, NEW.occurred_at AS occurred_at) AS issued`

const COUNT_SALE = `CREATE TRIGGER invoices_are_counted AFTER INSERT ON invoices BEGIN
  ${countSales(TURNOVER_OF_SQLITE, NEW_INVOICE)}; END`

interface Noted {
  table: string
  kind: string
  id?: string
  isOurs?: string
  events?: readonly ('INSERT' | 'UPDATE')[]
}

const NOTED: readonly Noted[] = [
  { table: 'companies', kind: 'company' },
  { table: 'certificates', kind: 'certificate' },
  { table: 'devices', kind: 'device' },
  { table: 'invoices', kind: 'invoice' },
  {
    table: 'messages',
    kind: 'message',
    isOurs: `EXISTS (SELECT 1 FROM invoices WHERE id = NEW.invoice_id AND gateway_id = '')`,
    events: ['INSERT'],
  },
  { table: 'print_jobs', kind: 'print_job', id: `NEW.invoice_id || '/' || NEW.copy` },
  { table: 'authority_requests', kind: 'request' },
  { table: 'alerts', kind: 'alert' },
]

const NAMES = { INSERT: 'note_what_is_new', UPDATE: 'note_what_changes' }

/**
 * No change can be forgotten: the database itself writes it down, in the transaction that makes it. It does so only where
 * the gateway has a server: noting costs a fifth of what a sale writes.
 */
const OUTBOX = NOTED.flatMap(({ table, kind, id = 'NEW.id', isOurs = `NEW.gateway_id = ''`, events }) =>
  (events ?? (['INSERT', 'UPDATE'] as const)).map(
    (event) => `CREATE TRIGGER ${table}_${NAMES[event]} AFTER ${event} ON ${table}
      WHEN EXISTS (SELECT 1 FROM sync_enrolment) AND ${isOurs} BEGIN
        DELETE FROM outbox WHERE kind = '${kind}' AND id = ${id};
        INSERT INTO outbox (kind, id) VALUES ('${kind}', ${id});
      END`,
  ),
)

/** Moments are epoch milliseconds, booleans 0 or 1, objects JSON text; ids are text. */
export const initial = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...GUARDS, COUNT_SALE, ...OUTBOX]) {
      await sql.raw(statement).execute(db)
    }
  },
}
