import type { KeyedLock } from '../../domain/keyed-lock.ts'
import { nextStatus } from '../../domain/sale/invoice.ts'
import { MODES } from '../../domain/sale/sale.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Invoice } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import { batchesByDeadline } from './by-deadline.ts'
import { progressOf } from './submit.ts'

export interface ExpiryDeps {
  store: Pick<Store, 'invoices' | 'transaction'>
  /** Shared with what sends: an invoice whose message is under way may still be confirmed. */
  invoiceLock: KeyedLock
  clock: ModeClocks
  /** Tells the operator: this sale can never be fiscalized any more. */
  onExpired: (invoice: Invoice) => void
}

/**
 * Makes what is past its deadline `expired`; afterwards everything that reads invoices sees it so.
 * @returns a function that does it now, and costs next to nothing when nothing is due
 */
export function createExpiry({ store, invoiceLock, clock, onExpired }: ExpiryDeps): () => Promise<void> {
  /** Nothing is sent any more that is due, so that only what is being sent already must be left alone. */
  async function expire(due: Invoice[]): Promise<void> {
    const expired = await store.transaction(async (tx) => {
      const done: Invoice[] = []
      for (const { id } of due) {
        if (await invoiceLock.isHeld(id)) continue
        const invoice = await tx.invoices.get(id)
        const status = invoice && nextStatus(invoice.status, 'deadline_passed')
        if (!invoice || !status) continue
        await tx.invoices.progress(id, progressOf({ ...invoice, status }))
        done.push({ ...invoice, status })
      }
      return done
    })
    expired.forEach(onExpired)
  }

  return async () => {
    for (const mode of MODES) {
      for (const status of ['retrying', 'failed'] as const) {
        for await (const batch of batchesByDeadline(store, status, mode)) {
          const due = batch.filter(({ deadlineAt }) => clock.of(mode).proven() > deadlineAt)
          if (due.length === 0) break
          await expire(due)
        }
      }
    }
  }
}
