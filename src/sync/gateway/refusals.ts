import { setImmediate } from 'node:timers/promises'
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../domain/instant.ts'
import type { SetAside } from '../../fiscal/ports/enrolment.ts'
import type { RowKey } from '../../fiscal/ports/outbox.ts'
import type { Store } from '../../fiscal/ports/store.ts'

export interface RefusalsDeps {
  store: Pick<Store, 'transaction'>
  quiet: () => Promise<void>
  now: () => EpochMs
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
}

const FIRST_MS = 5 * MINUTE_MS
const AT_ONCE = 200

/** What the server has not taken, and when it hears of it once more. */
export function createRefusals({ store, quiet, now, elapsed }: RefusalsDeps) {
  let nextLook = Number.NEGATIVE_INFINITY

  async function send(isDue: (refusal: SetAside) => boolean): Promise<void> {
    nextLook = elapsed() + MINUTE_MS
    const at = now()
    for (let after: RowKey | null = null; ; ) {
      await quiet()
      const page = await store.transaction(async (tx) => {
        const found = await tx.enrolment.refusals.page(after, AT_ONCE)
        const due = found.filter(isDue)
        await tx.outbox.touch(due)
        await tx.enrolment.refusals.put(due.map(({ since: _, ...one }) => ({ ...one, refusedAt: at })))
        return found
      })
      after = page.at(-1) ?? null
      if (page.length < AT_ONCE || after === null) return
      await setImmediate()
    }
  }

  return {
    /** All of it goes behind all other changes, and so is told once more. */
    sendAll: () => send(() => true),
    /**
     * Once a minute: what is set aside since five minutes, then since twice as long each time, at most a day; and what
     * was at a time that the clock has not reached.
     */
    async sendDue(): Promise<void> {
      if (elapsed() < nextLook) return
      const at = now()
      await send(({ since, refusedAt }) => {
        const pause = Math.min(DAY_MS, Math.max(FIRST_MS, refusedAt - since))
        return at - refusedAt >= pause || refusedAt > at
      })
    },
  }
}
