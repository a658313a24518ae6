import type { Store } from '../../fiscal/ports/store.ts'
import { inSmallSteps } from './small-steps.ts'

/** A transaction of so many keeps a sale waiting for some milliseconds. */
const ROWS = 200

/**
 * Puts every row behind the positions that the server knows from another history. When it is cut off, the next one goes on:
 * what is behind the barrier has been moved.
 */
export const tellAgain = (
  store: Pick<Store, 'transaction'>,
  quiet: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> =>
  inSmallSteps(store, quiet, signal, async (tx) => {
    const barrier = (await tx.enrolment.get())?.tellAgainTo ?? null
    if (barrier === null) return true
    const rows = (await tx.outbox.after(0, ROWS)).filter(({ position }) => position <= barrier)
    await tx.outbox.touch(rows)
    if (rows.length > 0) return false
    await tx.enrolment.update({ tellAgainTo: null, pushed: barrier })
    return true
  })
