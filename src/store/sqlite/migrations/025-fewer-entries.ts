import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  // An invoice is pending for as long as its first message is under way: its entry was written and removed at once.
  'DROP INDEX invoices_unconfirmed',
  `CREATE INDEX invoices_unconfirmed ON invoices (status, deadline_at, id)
    WHERE status <> 'confirmed' AND status <> 'pending' AND gateway_id = ''`,
  // Keys are removed in the order in which they were stored.
  'DROP INDEX idempotency_keys_age',
]

/** Index entries that a sale wrote and nobody needed. */
export const fewerEntries = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
