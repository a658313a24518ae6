import { freeOf, type KeyedLock } from '../../domain/keyed-lock.ts'
import { nextStatus } from '../../domain/sale/invoice.ts'
import { MODES } from '../../domain/sale/sale.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Invoice } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import { batchesByDeadline } from './by-deadline.ts'
import { progressOf } from './submit.ts'

export interface ExpiryDeps {
  store: Store
  /** Shared with the code that sends: an invoice that is being sent may still be confirmed. */
  invoiceLock: KeyedLock
  clock: ModeClocks
  /** Tells the operator that this sale can never be fiscalized. */
  onExpired: (invoice: Invoice) => void
}

/** Sets invoices past their deadline to `expired`; the returned function costs almost nothing when none is due. */
export function createExpiry({ store, invoiceLock, clock, onExpired }: ExpiryDeps): () => Promise<void> {
  /**
   * Due invoices are not sent any more, so only those that are already being sent must be skipped. That is asked before,
   * for it takes another connection than the transaction has.
   */
  async function expire(due: Invoice[]): Promise<void> {
    const ids = await freeOf(
      invoiceLock,
      due.map(({ id }) => id),
    )
    const expired = await store.transaction(async (tx) => {
      const done: Invoice[] = []
      for (const id of ids) {
        const invoice = await tx.invoices.locked(id)
        const status = invoice && nextStatus(invoice.status, 'deadline_passed')
        if (!invoice || !status) continue
        // By the clock of another process it may not be due yet, and may have been claimed since it was asked.
        if (await tx.sales.isElsewhere(id)) continue
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
