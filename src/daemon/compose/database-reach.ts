import type { FastifyBaseLogger } from 'fastify'
import type { Store } from '../../fiscal/ports/store.ts'

export interface WatchDatabaseDeps {
  store: Pick<Store, 'reach' | 'ownProcess'>
  log: () => FastifyBaseLogger
  /** Takes up what waits. */
  sweep: () => Promise<void>
}

/** Logs when the database goes away and comes back, and takes over what a process that is gone has left. */
export function watchDatabase({ store, log, sweep }: WatchDatabaseDeps): () => void {
  const stops = [
    store.reach.onAway((reason) => log().error({ reason }, 'the database is away: nothing can be sold')),
    store.reach.onBack(() => {
      log().warn('the database is back')
      void sweep()
    }),
    store.ownProcess.onRemoval(() => {
      log().warn('another process gives no sign of life: what it was sending is taken over')
      void sweep()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
