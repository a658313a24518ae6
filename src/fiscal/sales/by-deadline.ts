import { setImmediate } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import type { InvoiceStatus } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Invoice } from '../ports/model.ts'
import type { UnconfirmedStatus, WaitingInvoice } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Per transaction: a sale that comes in between waits for this many at most. */
const BATCH = 50

/**
 * The invoices of a status, and of a mode if one is given, the most endangered first, in batches that are small enough for a transaction each. Between
 * two of them everybody else has a turn: the database answers without ever letting go of the event loop.
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

/** A place in the order of the deadlines. */
export type Place = Pick<WaitingInvoice, 'deadlineAt' | 'id'>

/** Rows per turn: a sale that comes in between waits for this many at most. */
const SLICE = 200

/**
 * Our own invoices of a status, the most endangered first, a slice at a time; only what decides about them is read.
 * @param narrow those whose deadline is before a moment, those behind a place
 */
export async function* waitingOf(
  store: Pick<StoreTransaction, 'invoices'>,
  status: UnconfirmedStatus,
  narrow: { before?: EpochMs; after?: Place | undefined } = {},
): AsyncGenerator<WaitingInvoice[]> {
  const { before = Number.MAX_SAFE_INTEGER } = narrow
  for (let { after } = narrow; ; ) {
    const slice = await store.invoices.waiting(status, before, SLICE, after)
    yield slice
    after = slice.at(-1)
    if (slice.length < SLICE) return
    await setImmediate()
  }
}
