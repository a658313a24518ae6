import { freeOf, type KeyedLock } from '../../domain/keyed-lock.ts'
import { type FiscalErrorCode, nextStatus } from '../../domain/sale/invoice.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import type { Clock, ModeClocks } from '../ports/clock.ts'
import type { Invoice } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import { batchesByDeadline } from './by-deadline.ts'
import { unsentProgress } from './submit.ts'

/** The `errorMessage` of a requeued invoice until it is sent. */
export const NOT_SENT_YET = 'put back into the queue; it has not been sent again yet'

/**
 * Puts the failed invoices that the principal reaches back into the queue after their cause was fixed. They become
 * `retrying`, and the sweep sends them in order of their deadlines, also after a crash.
 * @returns the number of requeued invoices @throws FiskError `insufficient_scope`
 */
export async function requeueFailed(
  { store, invoiceLock, clock }: { store: Store; invoiceLock: KeyedLock; clock: Clock & ModeClocks },
  principal: Principal,
  code?: FiscalErrorCode,
): Promise<number> {
  requireScope(principal, 'invoices:write')
  const { tenantId, mode } = principal
  const isWanted = (invoice: Invoice) =>
    invoice.tenantId === tenantId &&
    (mode === null || invoice.mode === mode) &&
    reachesCompany(principal, invoice.companyId) &&
    (code === undefined || invoice.errorCode === code) &&
    clock.of(invoice.mode).proven() <= invoice.deadlineAt

  /** @returns how many of these invoices are back in the queue */
  const putBack = (ids: string[]): Promise<number> =>
    store.transaction(async (tx) => {
      let count = 0
      for (const id of ids) {
        const invoice = await tx.invoices.locked(id)
        const status = invoice && nextStatus(invoice.status, 'requeued')
        if (!invoice || !status) continue
        await tx.invoices.progress(id, unsentProgress({ ...invoice, status }, NOT_SENT_YET))
        count++
      }
      if (count > 0) await audit(tx, principal, clock.now(), 'invoices.requeued', { count, ...(code && { code }) })
      return count
    })

  let total = 0
  for await (const batch of batchesByDeadline(store, 'failed')) {
    const wanted = batch.filter(isWanted).map(({ id }) => id)
    total += await putBack(await freeOf(invoiceLock, wanted))
  }
  return total
}
