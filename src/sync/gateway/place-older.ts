import { setImmediate } from 'node:timers/promises'
import type { Store } from '../../fiscal/ports/store.ts'

/** A transaction of so many keeps a sale waiting for some milliseconds. */
const ROWS = 500

/**
 * Gives every row from before the enrolment its place in the outbox, in small steps. When it is cut off, the next one goes
 * on where it was.
 */
export async function placeOlder(
  store: Pick<Store, 'transaction'>,
  quiet: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let isDone = false
  while (!isDone && !signal.aborted) {
    await quiet()
    isDone = await store.transaction((tx) => tx.outbox.placeOlder(ROWS))
    await setImmediate()
  }
}
