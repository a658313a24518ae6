import { type Kysely, sql } from 'kysely'
import { TURNOVER_OF_SQLITE } from '../../shared/figures/turnover-dialects.ts'
import { COUNTED_ONCE, countSales, TURNOVER_INDEX, TURNOVER_TABLE } from '../../shared/figures/turnover-statements.ts'

/** The row that a trigger is about, as a table. */
export const NEW_INVOICE = `(SELECT NEW.id AS id, NEW.tenant_id AS tenant_id, NEW.mode AS mode, NEW.company_id AS company_id,
  NEW.premises_code AS premises_code, NEW.device_id AS device_id, NEW.document AS document, NEW.occurred_at AS occurred_at) AS issued`

const refuse = `BEGIN SELECT RAISE(ABORT, '${COUNTED_ONCE}'); END`

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
      await run(countSales(TURNOVER_OF_SQLITE, sold))
    }
    await run(
      `CREATE TRIGGER invoices_are_counted AFTER INSERT ON invoices BEGIN ${countSales(TURNOVER_OF_SQLITE, NEW_INVOICE)}; END`,
    )
    await run(`CREATE TRIGGER turnover_is_kept BEFORE DELETE ON turnover ${refuse}`)
    await run(
      `CREATE TRIGGER turnover_only_rises BEFORE UPDATE ON turnover WHEN NEW.invoices <= OLD.invoices ${refuse}`,
    )
  },
}
