import { type Kysely, sql } from 'kysely'

/** PostgreSQL has them in its own types. */
export const TABLES = [
  `CREATE TABLE logos (
    -- SHA-256 of the file, in hexadecimal.
    hash TEXT PRIMARY KEY,
    file BLOB NOT NULL
  ) STRICT`,
  'ALTER TABLE companies ADD COLUMN logo_hash TEXT',
]

export const LOGOS_ARE_KEPT = 'a receipt keeps its logo'

/** The logos on receipts. A receipt names its logo by the hash, so none is ever changed or removed. */
export const logos = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of TABLES) await sql.raw(statement).execute(db)
    const guards = ['DELETE', 'UPDATE'].map(
      (event) => `CREATE TRIGGER logos_keep_on_${event.toLowerCase()} BEFORE ${event} ON logos
        BEGIN SELECT RAISE(ABORT, '${LOGOS_ARE_KEPT}'); END`,
    )
    for (const guard of guards) await sql.raw(guard).execute(db)
  },
}
