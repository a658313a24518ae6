import { nextStatus } from '../../domain/sale/invoice.ts'
import type { Invoice } from '../ports/model.ts'
import type { InvoiceLock, Store } from '../ports/store.ts'
import { batchesByDeadline } from './by-deadline.ts'
import { unsentProgress } from './submit.ts'

/**
 * Takes over an invoice that was stored but whose first send was interrupted. It is unknown whether the tax authority
 * received it, so it becomes `retrying` and is sent again as a late delivery. Any other invoice is returned as it is.
 */
export async function takeOverInterrupted(store: Store, invoiceId: string): Promise<Invoice> {
  return store.transaction(async (tx) => {
    // Waits for a change in progress, and sees its result.
    const invoice = await tx.invoices.locked(invoiceId)
    if (!invoice) throw new Error(`invoice ${invoiceId} is missing`)
    const status = nextStatus(invoice.status, 'found_at_start')
    if (!status) return invoice
    const progress = unsentProgress({ ...invoice, status }, 'sending was interrupted; the answer is unknown')
    await tx.invoices.progress(invoice.id, progress)
    return { ...invoice, ...progress }
  })
}

/**
 * Takes over every `pending` invoice that no process is sending: a crash, or a disk error while storing the outcome,
 * interrupted it. @returns the number of invoices taken over
 */
export async function recoverPending(store: Store, invoiceLock: InvoiceLock): Promise<number> {
  let count = 0
  for await (const batch of batchesByDeadline(store, 'pending')) {
    const ids = await invoiceLock.claim(
      batch.map(({ id }) => id),
      batch.length,
    )
    for (const id of ids) await invoiceLock.run(id, () => takeOverInterrupted(store, id))
    count += ids.length
  }
  return count
}
