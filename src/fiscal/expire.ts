import { nextStatus } from '../domain/invoice.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { Invoice } from './model.ts'
import type { Clock } from './ports.ts'
import type { Store } from './store-port.ts'
import { progressOf } from './submit.ts'

export interface ExpiryDeps {
  store: Store
  /** Shared with what sends: an invoice whose message is under way may still be confirmed. */
  invoiceLock: KeyedLock
  clock: Clock
  /** Tells the operator: this sale can never be fiscalized any more. */
  onExpired: (invoice: Invoice) => void
}

/**
 * Makes what is past its deadline `expired`; afterwards everything that reads invoices sees it so.
 * @returns a function that does it now, and costs next to nothing when nothing is due
 */
export function createExpiry({ store, invoiceLock, clock, onExpired }: ExpiryDeps): () => Promise<void> {
  async function expire(id: string): Promise<void> {
    const invoice = await store.invoices.get(id)
    const status = invoice && nextStatus(invoice.status, 'deadline_passed')
    if (!invoice || !status || clock.now() <= invoice.deadlineAt) return
    const expired = { ...invoice, status }
    await store.invoices.progress(id, progressOf(expired))
    onExpired(expired)
  }

  return async () => {
    for (const status of ['retrying', 'failed'] as const) {
      let last: { deadlineAt: number; id: string } | undefined
      for (;;) {
        const [invoice] = await store.invoices.byDeadline(status, 1, last)
        if (!invoice || clock.now() <= invoice.deadlineAt) break
        last = { deadlineAt: invoice.deadlineAt, id: invoice.id }
        if (!invoiceLock.isHeld(invoice.id)) await invoiceLock.run(invoice.id, () => expire(invoice.id))
      }
    }
  }
}
