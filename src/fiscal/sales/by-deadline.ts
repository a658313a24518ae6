import { setImmediate } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import type { InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Invoice } from '../ports/model.ts'
import type { UnconfirmedStatus, WaitingInvoice } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Invoices per transaction. A new sale waits for at most one batch. */
const BATCH = 50

/**
 * The invoices of a status (and mode), the earliest deadline first, in batches for one transaction each. Other work
 * runs between two: the database calls themselves never release the event loop.
 */
export async function* batchesByDeadline(
  store: Pick<StoreTransaction, 'invoices'>,
  status: InvoiceStatus,
  mode?: Mode,
): AsyncGenerator<Invoice[]> {
  for (let after: Invoice | undefined; ; ) {
    const batch = await store.invoices.byDeadline(status, BATCH, { mode, after })
    after = batch.at(-1)
    if (!after) return
    yield batch
    await setImmediate()
  }
}

/** A position in the order of deadlines. */
export type DeadlinePosition = Pick<WaitingInvoice, 'deadlineAt' | 'id'>

/** Rows per query. A new sale waits for at most one slice. */
const SLICE = 200

/** Own invoices of a status, the earliest deadline first, in slices; `range` narrows them by deadline or position. */
export async function* waitingOf(
  store: Pick<StoreTransaction, 'invoices'>,
  status: UnconfirmedStatus,
  range: { before?: EpochMs; after?: DeadlinePosition; upTo?: DeadlinePosition } = {},
): AsyncGenerator<WaitingInvoice[]> {
  const { before = Number.MAX_SAFE_INTEGER, upTo } = range
  for (let { after } = range; ; ) {
    const slice = await store.invoices.waiting(status, before, SLICE, after)
    const isBehind = ({ deadlineAt, id }: DeadlinePosition) =>
      upTo && (deadlineAt > upTo.deadlineAt || (deadlineAt === upTo.deadlineAt && id > upTo.id))
    const end = slice.findIndex(isBehind)
    yield end < 0 ? slice : slice.slice(0, end)
    after = slice.at(-1)
    if (slice.length < SLICE || end >= 0) return
    await setImmediate()
  }
}
