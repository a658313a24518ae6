import { sql } from 'kysely'
import type { Db } from '../sqlite/connection.ts'

/** Key in `meta`: when the last process stopped in order, and what the numbers were then. */
export const LAST_STOP = 'last_stop'

/** As text in SQL: it changes with each sale, and is another one in a copy into which not all rows have come. */
const NUMBERS = `concat_ws(' ', (SELECT concat(count(*), '/', sum(position)) FROM journals),
  (SELECT count(*) FROM journals j JOIN invoices i USING (company_id, mode, premises_code)
    WHERE gateway_id = '' AND journal_position = position AND i.seal = j.seal),
  (SELECT concat(count(*), '/', sum(highest::numeric)) FROM sequences),
  (SELECT concat(count(*), '/', sum(last::numeric)) FROM reserved_numbers),
  (SELECT count(*) FROM numbers_ahead), (SELECT count(*) FROM numbering_levels))`

/** Notes it where no process is left. $1: the moment; $2: the mark of the database, which a copy does not have. */
export const noteLastStop = (mark: string) => `
  INSERT INTO meta (key, value) SELECT '${LAST_STOP}', convert_to(concat($1::text, ' ', ${NUMBERS}), 'UTF8')
  WHERE $2 = ${mark} AND NOT EXISTS (SELECT 1 FROM processes)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`

/** @returns the moment, in ISO format, where nothing has been stored since and everything is here; undefined otherwise */
export async function lastStop(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ at: string }>`
    SELECT at FROM (SELECT convert_from(value, 'UTF8') AS note FROM meta WHERE key = ${LAST_STOP}) AS noted,
      split_part(note, ' ', 1) AS at
    WHERE note = concat(at, ' ', ${sql.raw(NUMBERS)}) AND NOT EXISTS (SELECT 1 FROM processes)`.execute(db)
  return rows[0]?.at
}
