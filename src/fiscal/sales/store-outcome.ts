import type { Invoice } from '../ports/model.ts'
import { ClaimLost, DatabaseAway, NotStored, type Store } from '../ports/store.ts'

/**
 * Stores what is known of an invoice, as soon as the database can be reached: a JIR that was received is not forgotten.
 * @param decided the invoice as it is once `store` has resolved
 * @param write may be repeated as long as this process holds the invoice
 * @throws ClaimLost when another process has taken the invoice over meanwhile
 */
export async function storeOutcome(store: Store, decided: Invoice, write: () => Promise<void>): Promise<void> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await write()
    } catch (error) {
      // The answer to an earlier try may have been lost with the connection.
      if (isRepeated && error instanceof ClaimLost && (await isStored(store, decided))) return
      if (!(error instanceof DatabaseAway)) throw error
      // What a database refuses that takes other writes it may refuse for ever.
      if (!(await store.reach.back()) && error instanceof NotStored) throw error
    }
  }
}

async function isStored(store: Store, { id, status, jir, attempts }: Invoice): Promise<boolean> {
  const found = await store.invoices.get(id)
  return found?.status === status && found.jir === jir && found.attempts === attempts
}
