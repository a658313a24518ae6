import type { Store } from '../../fiscal/ports/store.ts'
import { inSmallSteps } from './small-steps.ts'

/** A transaction of so many keeps a sale waiting for some milliseconds. */
const ROWS = 500

/** Gives every row from before the enrolment its position in the outbox. When it is cut off, the next one goes on where it was. */
export const addOlder = (
  store: Pick<Store, 'transaction'>,
  quiet: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> => inSmallSteps(store, quiet, signal, (tx) => tx.outbox.addOlder(ROWS))
