import { type Kysely, sql } from 'kysely'
import { countSales, TURNOVER_INDEX, TURNOVER_TABLE, type TurnoverDialect } from '../../shared/turnover-statements.ts'
import type { Db } from '../../sqlite/connection.ts'
import { inTypesOfPostgres } from '../types.ts'

const DIALECT: TurnoverDialect = {
  cents: (text) => `CAST(replace(${text}, '.', '') AS bigint)`,
  document: (column) => `${column}::jsonb`,
  field: (document, name) => `${document} ->> '${name}'`,
  flag: (document, name) => `(${document} -> '${name}')::boolean`,
  lines: (document, name) => `jsonb_array_elements(${document} -> '${name}') AS line(value)`,
  length: (document, name) => `jsonb_array_length(${document} -> '${name}')`,
  day: (at) => `fiskd_zagreb_day(${at})`,
  whole: (expression) => `CAST(${expression} AS bigint)`,
  lower: (one, other) => `least(${one}, ${other})`,
  higher: (one, other) => `greatest(${one}, ${other})`,
}

/** 01:00 UTC of the last Sunday of a month (domain/zagreb.ts has the same rule), in seconds. */
const change = (year: string, month: number) => {
  const last = `make_date(${year}, ${month}, 31)`
  return `extract(epoch FROM ${last} - extract(dow FROM ${last})::int)::bigint + 3600`
}
const YEAR = `extract(year FROM to_timestamp(at / 1000) AT TIME ZONE 'UTC')::int`

const STATEMENTS = [
  inTypesOfPostgres(TURNOVER_TABLE),
  TURNOVER_INDEX,
  // Each sale changes these rows in place.
  'ALTER TABLE turnover SET (fillfactor = 50)',
  `CREATE FUNCTION fiskd_zagreb_day(at bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT to_char(to_timestamp(at / 1000 + CASE WHEN at / 1000 >= ${change(YEAR, 3)} AND at / 1000 < ${change(YEAR, 10)}
      THEN 7200 ELSE 3600 END) AT TIME ZONE 'UTC', 'YYYY-MM-DD') $$`,
  // For a whole statement, so that a batch of a gateway's sales adds to each row once.
  `CREATE FUNCTION fiskd_count_sales() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${countSales(DIALECT, 'issued')};
    RETURN NULL; END $$`,
  `CREATE TRIGGER invoices_are_counted AFTER INSERT ON invoices REFERENCING NEW TABLE AS issued FOR EACH STATEMENT
    EXECUTE FUNCTION fiskd_count_sales()`,
]

/** Devices whose sales were stored before the trigger was there. */
const UNCOUNTED = 'turnover_uncounted'

async function begin(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  await sql.raw(`CREATE TABLE ${UNCOUNTED} AS SELECT id FROM devices`).execute(db)
}

/**
 * Counts the sales of one device anew. The lock waits for transactions that have counted sales of their own, and lets
 * no other one count until this one has committed: so each sale is seen here, or by the trigger afterwards.
 * @returns false while there are more
 */
async function countNext(db: Db): Promise<boolean> {
  await sql`LOCK TABLE turnover IN SHARE ROW EXCLUSIVE MODE`.execute(db)
  const { rows } = await sql<{ id: string }>`
    DELETE FROM ${sql.table(UNCOUNTED)} WHERE id = (SELECT min(id) FROM ${sql.table(UNCOUNTED)}) RETURNING id`.execute(
    db,
  )
  const id = rows[0]?.id
  if (id === undefined) {
    await sql`DROP TABLE ${sql.table(UNCOUNTED)}`.execute(db)
    return true
  }
  await sql`DELETE FROM turnover WHERE device_id = ${id}`.execute(db)
  const sold = `(SELECT * FROM invoices WHERE device_id = '${id.replaceAll("'", "''")}') AS issued`
  await sql.raw(countSales(DIALECT, sold)).execute(db)
  return false
}

/** Sums of what was sold, kept by the statement that stores the sale. */
export const turnover = { steps: [begin, countNext] }
