import { setImmediate } from 'node:timers/promises'
import type { Store, StoreTransaction } from '../../fiscal/ports/store.ts'

/**
 * Works through many rows in transactions of a few, each when no sale is under way. It may be cut off between two of them.
 * @param step one transaction. @returns whether it was the last
 */
export async function inSmallSteps(
  store: Pick<Store, 'transaction'>,
  quiet: () => Promise<void>,
  signal: AbortSignal,
  step: (tx: StoreTransaction) => Promise<boolean>,
): Promise<void> {
  while (!signal.aborted) {
    await quiet()
    if (await store.transaction(step)) return
    await setImmediate()
  }
}
