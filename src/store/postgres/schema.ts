import { type Kysely, sql } from 'kysely'
import { countSales, TURNOVER_OF_POSTGRES } from '../shared/figures/turnover-statements.ts'
import {
  ADDED,
  CLOSINGS_KEPT,
  COUNTED_ONCE,
  type Guard,
  guards,
  ISSUED,
  isAhead,
  KEPT,
  keyChanges,
  lower,
  ONCE,
  PRINTED,
} from '../shared/schema/guards.ts'
import { OFFICE } from '../shared/schema/office.ts'
import { REGISTRY } from '../shared/schema/registry.ts'
import { SALES } from '../shared/schema/sales.ts'
import { SYNC } from '../shared/schema/sync.ts'

/** PostgreSQL's types by SQLite's types; text is compared by its bytes, as in SQLite. */
const TYPES = { TEXT: 'text COLLATE "C"', INTEGER: 'bigint', BLOB: 'bytea' } as const

/** What several processes on one database need. A process that is no longer there is removed, and with it all it held. */
const PROCESSES = [
  `CREATE TABLE processes (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    version TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    beats INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE claims (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    process INTEGER NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
    PRIMARY KEY (name, key)
  )`,
  'CREATE INDEX claims_by_process ON claims (process)',
  // The end of the journal of a premises. Its row is locked by the sale that takes the next number there.
  `CREATE TABLE journals (
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    position INTEGER NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code)
  )`,
]

/** The tables of SQLite, and more. The outbox stays empty: it is a gateway's. */
const TABLES = [...REGISTRY, ...SALES, ...OFFICE, ...SYNC, ...PROCESSES].map(inTypesOfPostgres)

const INDEXES = [
  // What lacks a JIR is a handful among many: the sweep and the status read only these, of what we must send ourselves.
  `CREATE INDEX invoices_unconfirmed ON invoices (status, deadline_at, id)
    WHERE status <> 'confirmed' AND gateway_id = ''`,
  `CREATE INDEX invoices_by_amount ON invoices (tenant_id, mode, (replace(document::jsonb ->> 'total', '.', '')::bigint), occurred_at, id)`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',
  // Each sale changes these rows in place.
  'ALTER TABLE journals SET (fillfactor = 20)',
  'ALTER TABLE sequences SET (fillfactor = 20)',
  'ALTER TABLE turnover SET (fillfactor = 50)',
]

const refuse = (why: string) => `EXECUTE FUNCTION fiskd_refuse('${why}')`

const guard = ({ name, before, why, when }: Guard) =>
  `CREATE TRIGGER ${name} BEFORE ${before} FOR EACH ROW ${when === undefined ? '' : `WHEN (${when}) `}${refuse(why)}`

/** As `DELETE` is refused row by row; it asks no other trigger. */
const notEmptied = (table: string, why = KEPT, name = `${table}_are_not_emptied`) =>
  `CREATE TRIGGER ${name} BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT ${refuse(why)}`

/** A trigger's own condition may ask no table: the function asks it. */
const refusing = (name: string, condition: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF ${condition} THEN
      RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW; END $$`

const DIFFER = 'IS DISTINCT FROM'

const GUARDS = [
  `CREATE FUNCTION fiskd_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation'; END $$`,
  ...guards(DIFFER).map(guard),
  refusing('fiskd_sequences_only_rise', `${keyChanges(DIFFER)} OR NOT ${isAhead('highest')}`),
  `CREATE TRIGGER sequences_only_rise BEFORE UPDATE ON sequences FOR EACH ROW
    WHEN (${keyChanges(DIFFER)} OR ${lower('highest')}) EXECUTE FUNCTION fiskd_sequences_only_rise('${ONCE}')`,
  refusing(
    'fiskd_reserved_numbers_stay',
    `${keyChanges(DIFFER, 'first', 'reserved_at')} OR NOT ${lower('last')} OR NOT ${isAhead('last')}`,
  ),
  `CREATE TRIGGER reserved_numbers_stay BEFORE UPDATE ON reserved_numbers FOR EACH ROW
    EXECUTE FUNCTION fiskd_reserved_numbers_stay('${ISSUED}')`,
  notEmptied('audit_log', ADDED),
  ...['invoices', 'messages', 'sequences', 'numbering_levels', 'reserved_numbers', 'numbers_ahead'].map((table) =>
    notEmptied(table),
  ),
  notEmptied('print_jobs', PRINTED),
  notEmptied('closings', CLOSINGS_KEPT),
  notEmptied('authority_requests'),
  notEmptied('turnover', COUNTED_ONCE, 'turnover_is_not_emptied'),
]

/** 01:00 UTC of the last Sunday of a month (domain/zagreb.ts has the same rule), in seconds. */
const change = (year: string, month: number) => {
  const last = `make_date(${year}, ${month}, 31)`
  return `extract(epoch FROM ${last} - extract(dow FROM ${last})::int)::bigint + 3600`
}
const YEAR = `extract(year FROM to_timestamp(at / 1000) AT TIME ZONE 'UTC')::int`

/** Once for all rows of a statement, so a batch adds to each row once. Compiling would take longer than it runs. */
const COUNT_SALES = [
  `CREATE FUNCTION fiskd_zagreb_day(at bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT to_char(to_timestamp(at / 1000 + CASE WHEN at / 1000 >= ${change(YEAR, 3)} AND at / 1000 < ${change(YEAR, 10)}
      THEN 7200 ELSE 3600 END) AT TIME ZONE 'UTC', 'YYYY-MM-DD') $$`,
  `CREATE FUNCTION fiskd_count_as_turnover() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$ BEGIN
    ${countSales(TURNOVER_OF_POSTGRES, 'issued')}; RETURN NULL; END $$`,
  `CREATE TRIGGER invoices_count_as_turnover AFTER INSERT ON invoices REFERENCING NEW TABLE AS issued
    FOR EACH STATEMENT EXECUTE FUNCTION fiskd_count_as_turnover()`,
]

export const initial = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...GUARDS, ...COUNT_SALES]) await sql.raw(statement).execute(db)
  },
}

/** Translates a statement that makes a table, an index or a column; `only` is a reserved word of PostgreSQL. */
function inTypesOfPostgres(statement: string): string {
  return statement
    .replace('INTEGER PRIMARY KEY AUTOINCREMENT', 'INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY')
    .replace(/\bonly\b/g, '"only"')
    .replace(/\b(TEXT|INTEGER|BLOB)\b/g, (type) => TYPES[type as keyof typeof TYPES])
    .replace(/ STRICT(, WITHOUT ROWID)?$/, '')
}
