import { setImmediate } from 'node:timers/promises'
import { nextStatus } from '../domain/invoice.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { Invoice } from './model.ts'
import type { Store } from './store-port.ts'

const BATCH = 100

/**
 * Takes over an invoice that was stored but whose first send was cut off: whether the tax authority saw it is unknown,
 * so it becomes `retrying` and is sent again as a late delivery. Any other invoice is returned as it is.
 */
export async function takeOverInterrupted(store: Store, invoiceId: string): Promise<Invoice> {
  const invoice = await store.invoices.get(invoiceId)
  if (!invoice) throw new Error(`invoice ${invoiceId} is missing`)
  const status = nextStatus(invoice.status, 'found_at_start')
  if (!status) return invoice
  const { jir, confirmedAt, lateDelivery, attempts } = invoice
  const progress = {
    status,
    jir,
    confirmedAt,
    lateDelivery,
    attempts,
    lastErrorClass: 'transient',
    errorCode: 'upstream_unavailable',
    errorMessage: 'sending was interrupted; the answer is unknown',
  } as const
  await store.invoices.progress(invoice.id, progress)
  return { ...invoice, ...progress }
}

/**
 * Takes over every `pending` invoice that nobody is sending: a crash, or a disk that took no outcome, cut it off.
 * @returns how many there were
 */
export async function recoverPending(store: Store, invoiceLock: KeyedLock): Promise<number> {
  let count = 0
  for (let after: Invoice | undefined; ; ) {
    const batch = await store.invoices.byDeadline('pending', BATCH, { after })
    for (const { id } of batch.filter((invoice) => !invoiceLock.isHeld(invoice.id))) {
      await invoiceLock.run(id, () => takeOverInterrupted(store, id))
      count++
    }
    after = batch.at(-1)
    if (!after) return count
    await setImmediate()
  }
}
