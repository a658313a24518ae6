import { sql } from 'kysely'
import { TURNOVER_OF_POSTGRES } from '../../shared/figures/turnover-dialects.ts'
import { COUNTED_ONCE, countSales, TURNOVER_INDEX, TURNOVER_TABLE } from '../../shared/figures/turnover-statements.ts'
import type { Db } from '../../sqlite/connection.ts'
import { inTypesOfPostgres } from '../types.ts'

/** 01:00 UTC of the last Sunday of a month (domain/zagreb.ts has the same rule), in seconds. */
const change = (year: string, month: number) => {
  const last = `make_date(${year}, ${month}, 31)`
  return `extract(epoch FROM ${last} - extract(dow FROM ${last})::int)::bigint + 3600`
}
const YEAR = `extract(year FROM to_timestamp(at / 1000) AT TIME ZONE 'UTC')::int`

const guard = (name: string, event: string, each: string) =>
  `CREATE TRIGGER turnover_${name} BEFORE ${event} ON turnover ${each} EXECUTE FUNCTION fiskd_refuse('${COUNTED_ONCE}')`

/**
 * Once for all rows of a statement, so that a batch of a gateway's sales adds to each row once. Compiling would take
 * longer than it runs: the members of a document make the plan look expensive.
 */
const counting = (name: string, work: string) => [
  `CREATE FUNCTION fiskd_${name}() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$ BEGIN ${work}; RETURN NULL; END $$`,
  `CREATE TRIGGER invoices_${name} AFTER INSERT ON invoices REFERENCING NEW TABLE AS issued
    FOR EACH STATEMENT EXECUTE FUNCTION fiskd_${name}()`,
]

/** Ids of the sales that their own transactions count. */
const COUNTED = 'turnover_counted'

const COUNT_NEW = [
  inTypesOfPostgres(TURNOVER_TABLE),
  TURNOVER_INDEX,
  // Each sale changes these rows in place.
  'ALTER TABLE turnover SET (fillfactor = 50)',
  `CREATE FUNCTION fiskd_zagreb_day(at bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT to_char(to_timestamp(at / 1000 + CASE WHEN at / 1000 >= ${change(YEAR, 3)} AND at / 1000 < ${change(YEAR, 10)}
      THEN 7200 ELSE 3600 END) AT TIME ZONE 'UTC', 'YYYY-MM-DD') $$`,
  guard('is_kept', 'DELETE', 'FOR EACH ROW'),
  guard('only_rises', 'UPDATE', 'FOR EACH ROW WHEN (NEW.invoices <= OLD.invoices)'),
  guard('is_not_emptied', 'TRUNCATE', 'FOR EACH STATEMENT'),
  // Until the older sales are counted, it is noted which ones need not be.
  `CREATE TABLE ${COUNTED} (id text COLLATE "C" PRIMARY KEY)`,
  ...counting('note_that_they_count', `INSERT INTO ${COUNTED} SELECT id FROM issued`),
  ...counting('count_as_turnover', countSales(TURNOVER_OF_POSTGRES, 'issued')),
]

const NOTE_NO_MORE = [
  'DROP TRIGGER invoices_note_that_they_count ON invoices',
  'DROP FUNCTION fiskd_note_that_they_count()',
  `DROP TABLE ${COUNTED}`,
]

/** Key in `meta`: the id of the last older invoice that is counted. */
const COUNTED_TO = 'turnover_counted_to'

/** Invoices per transaction; a sale of one of their machines waits for it. */
const AT_ONCE = 1_000

async function run(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Counts the next older invoices, in the order of their ids. Whatever is not noted was committed before the trigger was
 * there, so it is seen here. @returns false when there may be more
 */
async function countOlder(db: Db): Promise<boolean> {
  const known = await db.selectFrom('meta').select('value').where('key', '=', COUNTED_TO).executeTakeFirst()
  const from = known?.value.toString() ?? ''
  const { rows } = await sql<{ id: string | null }>`SELECT max(id) AS id FROM (
    SELECT id FROM invoices WHERE id > ${from} ORDER BY id LIMIT ${sql.lit(AT_ONCE)}) AS slice`.execute(db)
  const to = rows[0]?.id ?? null
  if (to === null) {
    await db.deleteFrom('meta').where('key', '=', COUNTED_TO).execute()
    return true
  }
  await sql`SET LOCAL jit = off`.execute(db)
  const older = `(SELECT * FROM invoices WHERE id > ${quoted(from)} AND id <= ${quoted(to)}
    AND NOT EXISTS (SELECT 1 FROM ${COUNTED} AS counted WHERE counted.id = invoices.id)) AS older`
  await sql.raw(countSales(TURNOVER_OF_POSTGRES, older)).execute(db)
  const value = Buffer.from(to)
  const row = db.insertInto('meta').values({ key: COUNTED_TO, value })
  await row.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })).execute()
  return false
}

/** Sums of what was sold, kept by the statement that stores the sale. */
export const turnover = {
  steps: [(db: Db) => run(db, COUNT_NEW), countOlder, (db: Db) => run(db, NOTE_NO_MORE)],
}
