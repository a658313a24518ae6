import { type Kysely, sql } from 'kysely'

/** The files of a mail go out with it, and are removed with it. PostgreSQL has the table in its own types. */
export const ATTACHMENTS = `CREATE TABLE mail_attachments (
    mail_id TEXT NOT NULL REFERENCES mails (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (mail_id, position)
  ) STRICT`

const STATEMENTS = [
  ATTACHMENTS,
  `CREATE INDEX invoices_by_amount ON invoices (tenant_id, mode,
    CAST(replace(json_extract(document, '$.total'), '.', '') AS INTEGER), occurred_at, id)`,
  // A gateway has no invoices of other ones, and pays nothing for it.
  `CREATE INDEX invoices_by_gateway ON invoices (gateway_id, mode, occurred_at, id) WHERE gateway_id <> ''`,
]

/** What the lists of invoices are ordered and narrowed down by, and mails with files. */
export const invoiceLists = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
