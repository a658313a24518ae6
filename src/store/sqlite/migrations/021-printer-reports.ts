import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types. */
export const STATEMENTS = [
  // No list of values: a newer gateway may send reasons that are unknown here.
  'ALTER TABLE print_jobs ADD COLUMN reason TEXT',
  // By line: two devices may share a printer, and so its roll.
  `CREATE TABLE paper_rolls (
    line TEXT PRIMARY KEY,
    mm INTEGER NOT NULL,
    receipts INTEGER NOT NULL,
    is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
    paper TEXT CHECK (paper IN ('ok', 'near_end', 'out', 'taken')),
    near_end_mm INTEGER,
    roll_mm INTEGER,
    rest_mm INTEGER,
    receipt_mm INTEGER
  ) STRICT`,
]

/** Why receipts did not come out, and the rolls of printers. */
export const printerReports = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
