import { setImmediate } from 'node:timers/promises'
import type { IssuedFilter, IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The oldest sale first; pauses for other work after each query. @param limit rows per query */
export async function* issuedInSlices(
  { lookups }: Pick<StoreTransaction, 'lookups'>,
  filter: IssuedFilter,
  limit: number,
): AsyncGenerator<IssuedInvoice[]> {
  for (let last: IssuedInvoice | undefined; ; ) {
    const after = last && { at: last.occurredAt, id: last.id }
    const rows = await lookups.issued(filter, { limit, after })
    yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    await setImmediate()
  }
}
