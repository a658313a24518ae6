import { type Kysely, sql } from 'kysely'
import { countSales, TURNOVER_INDEX, TURNOVER_TABLE, type TurnoverDialect } from '../../shared/turnover-statements.ts'

/** The last Sunday before the first of a month, 01:00 UTC, of the year of `at` (domain/zagreb.ts has the same rule). */
const change = (year: string, before: string) => `unixepoch(${year} || '-${before}-01', 'weekday 0', '-7 days') + 3600`

const DIALECT: TurnoverDialect = {
  cents: (text) => `CAST(replace(${text}, '.', '') AS INTEGER)`,
  document: (column) => column,
  field: (document, name) => `${document} ->> '${name}'`,
  flag: (document, name) => `${document} ->> '${name}' = 1`,
  lines: (document, name) => `json_each(${document}, '$.${name}') AS line`,
  length: (document, name) => `json_array_length(${document}, '$.${name}')`,
  day(at) {
    const year = `strftime('%Y', ${at} / 1000, 'unixepoch')`
    return `date(${at} / 1000 + CASE WHEN ${at} / 1000 >= ${change(year, '04')} AND ${at} / 1000 < ${change(year, '11')}
      THEN 7200 ELSE 3600 END, 'unixepoch')`
  },
  whole: (expression) => `CAST(${expression} AS INTEGER)`,
  lower: (one, other) => `min(${one}, ${other})`,
  higher: (one, other) => `max(${one}, ${other})`,
}

const NEW_INVOICE = `(SELECT NEW.id AS id, NEW.tenant_id AS tenant_id, NEW.mode AS mode, NEW.device_id AS device_id,
  NEW.document AS document, NEW.occurred_at AS occurred_at) AS issued`

/** Sums of what was sold, kept by the statement that stores the sale. */
export const turnover = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (statement: string) => sql.raw(statement).execute(db)
    await run(TURNOVER_TABLE)
    await run(TURNOVER_INDEX)
    const { rows } = await sql<{ id: string }>`SELECT id FROM devices`.execute(db)
    // One after the other: a device has its own index, and its own rows of sums.
    for (const { id } of rows) {
      const sold = `(SELECT * FROM invoices WHERE device_id = '${id.replaceAll("'", "''")}') AS issued`
      await run(countSales(DIALECT, sold))
    }
    await run(
      `CREATE TRIGGER invoices_are_counted AFTER INSERT ON invoices BEGIN ${countSales(DIALECT, NEW_INVOICE)}; END`,
    )
  },
}
