import { setImmediate } from 'node:timers/promises'
import type { IssuedFilter, IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { Store } from '../ports/store.ts'

/** The oldest sale first; pauses for other work after each query. @param limit rows per query */
export async function* issuedInSlices(
  store: Pick<Store, 'reading'>,
  filter: IssuedFilter,
  limit: number,
): AsyncGenerator<IssuedInvoice[]> {
  const read = store.reading()
  for (let last: IssuedInvoice | undefined; ; ) {
    const after = last && { at: last.occurredAt, id: last.id }
    const rows = await read(({ lookups }) => lookups.issued(filter, { limit, after }))
    yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    await setImmediate()
  }
}
