import { setImmediate } from 'node:timers/promises'
import type { InvoiceStatus } from '../domain/invoice.ts'
import type { Mode } from '../domain/sale.ts'
import type { Invoice } from './model.ts'
import type { Store } from './store-port.ts'

/** Per transaction: a sale that comes in between waits for this many at most. */
const BATCH = 50

/**
 * The invoices of a status, and of a mode if one is given, the most endangered first, in batches that are small enough for a transaction each. Between
 * two of them everybody else has a turn: the database answers without ever letting go of the event loop.
 */
export async function* batchesByDeadline(store: Store, status: InvoiceStatus, mode?: Mode): AsyncGenerator<Invoice[]> {
  for (let after: Invoice | undefined; ; ) {
    const batch = await store.invoices.byDeadline(status, BATCH, { mode, after })
    after = batch.at(-1)
    if (!after) return
    yield batch
    await setImmediate()
  }
}
