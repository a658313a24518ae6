import type { SchemaChange } from '../schema-change.ts'

/** Processes of the release before go on storing invoices while the indexes are built. */
export const invoiceLists: SchemaChange = {
  steps: [
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
