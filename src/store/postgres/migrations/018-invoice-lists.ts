import { type Kysely, sql } from 'kysely'
import { ATTACHMENTS } from '../../sqlite/migrations/015-invoice-lists.ts'
import type { SchemaChange } from '../schema-change.ts'
import { inTypesOfPostgres } from '../types.ts'

/** Processes of the release before go on storing invoices while the indexes are built. */
export const invoiceLists: SchemaChange = {
  steps: [
    async (db: Kysely<unknown>) => {
      await sql.raw(inTypesOfPostgres(ATTACHMENTS)).execute(db)
    },
    {
      index: 'invoices_by_amount',
      table: 'invoices',
      on: `(tenant_id, mode, (replace(document::jsonb ->> 'total', '.', '')::bigint), occurred_at, id)`,
    },
    {
      index: 'invoices_by_gateway',
      table: 'invoices',
      on: `(gateway_id, mode, occurred_at, id) WHERE gateway_id <> ''`,
    },
  ],
}
