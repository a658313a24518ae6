import { setImmediate } from 'node:timers/promises'
import type { Store, StoreTransaction } from '../../fiscal/ports/store.ts'

type Given = [store: Pick<Store, 'transaction'>, quiet: () => Promise<void>, signal: AbortSignal]

/** Works in transactions of a few rows, each when no sale is under way. @param step returns whether it was the last */
async function inSmallSteps(step: (tx: StoreTransaction) => Promise<boolean>, ...[store, quiet, signal]: Given) {
  while (!signal.aborted) {
    await quiet()
    if (await store.transaction(step)) return
    await setImmediate()
  }
}

/** Transactions of so many rows keep a sale waiting for some milliseconds. */
const ROWS = { added: 500, moved: 200 }

/** Gives every row from before the enrolment its position in the outbox. When it is cut off, the next one goes on where it was. */
export const addOlder = (...given: Given) => inSmallSteps((tx) => tx.outbox.addOlder(ROWS.added), ...given)

/** Puts every row behind the positions that another history has. When it is cut off, the next one goes on. */
export const tellAgain = (...given: Given) =>
  inSmallSteps(
    async (tx) => {
      const barrier = (await tx.enrolment.get())?.tellAgainTo ?? null
      if (barrier === null) return true
      const rows = (await tx.outbox.after(0, ROWS.moved)).filter(({ position }) => position <= barrier)
      await tx.outbox.touch(rows)
      if (rows.length > 0) return false
      await tx.enrolment.update({ tellAgainTo: null, pushed: barrier })
      return true
    },
    ...given,
  )
