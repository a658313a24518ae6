import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  `CREATE INDEX invoices_by_amount ON invoices (tenant_id, mode,
    CAST(replace(json_extract(document, '$.total'), '.', '') AS INTEGER), occurred_at, id)`,
  // A gateway has no invoices of other ones, and pays nothing for it.
  `CREATE INDEX invoices_by_gateway ON invoices (gateway_id, mode, occurred_at, id) WHERE gateway_id <> ''`,
]

/** What the lists of invoices are ordered and narrowed down by. */
export const invoiceLists = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
