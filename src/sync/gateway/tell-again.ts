import { setImmediate } from 'node:timers/promises'
import type { Store } from '../../fiscal/ports/store.ts'

/** A transaction of so many keeps a sale waiting for some milliseconds. */
const ROWS = 200

/**
 * Puts every row behind the places that the server knows from another history, in small steps. When it is cut off, the
 * next one goes on: what is behind the barrier has been moved.
 */
export async function tellAgain(
  store: Pick<Store, 'transaction'>,
  quiet: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await quiet()
    const done = await store.transaction(async (tx) => {
      const barrier = (await tx.enrolment.get())?.tellAgainTo ?? null
      if (barrier === null) return true
      const rows = (await tx.outbox.after(0, ROWS)).filter(({ seq }) => seq <= barrier)
      await tx.outbox.touch(rows)
      if (rows.length > 0) return false
      await tx.enrolment.update({ tellAgainTo: null, pushed: barrier })
      return true
    })
    if (done) return
    await setImmediate()
  }
}
