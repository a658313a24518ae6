import { createKeyedLock, freeOf, type KeyedLock } from '../../domain/keyed-lock.ts'

/**
 * Who sends an invoice, over all processes: none is submitted twice at a time. A process that is gone holds nothing.
 */
export interface InvoiceLock extends KeyedLock {
  /**
   * Runs work that stores a new invoice and sends it. `SaleRows.insert` locks it in the statement that stores it, and
   * the outcome unlocks it: no statement is needed for either.
   */
  runNew<T>(invoiceId: string, work: () => Promise<T>): Promise<T>
  /**
   * Locks the first of these invoices that have no final outcome and that nobody holds, over all processes. Each of them
   * has to be given to `run`, which unlocks it.
   * @returns their ids, in the order given; fewer than `most` when no others are left
   */
  claim(invoiceIds: readonly string[], most: number): Promise<string[]>
  /**
   * Makes sure that this process still holds the invoice, before something is sent.
   * @throws ClaimLost when another process has taken it over; DatabaseAway when that is not known
   */
  requireHeld(invoiceId: string): Promise<void>
}

/** The lock of a database that only one process uses. */
export function localInvoiceLock(): InvoiceLock {
  const lock = createKeyedLock()
  return {
    ...lock,
    runNew: lock.run,
    claim: async (invoiceIds, most) => (await freeOf(lock, invoiceIds)).slice(0, most),
    requireHeld: async () => {},
  }
}
