import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types. */
export const STATEMENTS = [
  // No list of values: a newer gateway may send reasons that are unknown here.
  'ALTER TABLE print_jobs ADD COLUMN reason TEXT',
]

/** Why receipts did not come out. */
export const printerReasons = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
