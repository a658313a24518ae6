import type { Base } from './base.ts'

type ReachDeps = Pick<Base, 'store' | 'log'> & {
  sweep: () => Promise<void>
  /** Ends the receipts that a process was printing that is gone. */
  endReceipts: () => Promise<void>
}

/** Logs when the database goes away and comes back, and takes over what a process that is gone has left. */
export function watchDatabase({ store, log, sweep, endReceipts }: ReachDeps) {
  let stops: (() => void)[] = []
  return {
    start() {
      stops = [
        store.reach.onAway(({ message }) =>
          log.error({ reason: message }, 'the database is away: nothing can be sold'),
        ),
        store.reach.onBack(() => {
          log.warn({}, 'the database is back')
          void sweep()
        }),
        store.ownProcess.onRemoval(() => {
          log.warn({}, 'another process gives no sign of life: what it was doing is taken over')
          void sweep()
          void endReceipts()
        }),
      ]
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}
