import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types; a process of the release before reads and writes around them. */
export const STATEMENTS = [
  // The only companies of a user, as a JSON list of ids; null for all.
  'ALTER TABLE users ADD COLUMN company_ids TEXT',
]

/** Users who are limited to some companies. */
export const people = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
