import { slicesOf } from '../in-slices.ts'
import type { IssuedFilter, IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Rows per query; each may have 256 KB, and after an outage there are thousands. */
const SLICE = 25

/** The oldest sale first; pauses for other work after each query. */
export function issuedInSlices(
  { lookups }: Pick<StoreTransaction, 'lookups'>,
  filter: IssuedFilter,
): AsyncGenerator<IssuedInvoice[]> {
  return slicesOf(SLICE, (last) =>
    lookups.issued(filter, { limit: SLICE, after: last && { at: last.occurredAt, id: last.id } }),
  )
}
