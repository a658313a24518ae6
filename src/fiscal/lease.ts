import type { Clock } from './ports/clock.ts'
import type { StoreTransaction } from './ports/store.ts'

/** The right to do what only one process may do at a time, over all that share a database. */
export interface Lease {
  /** Takes it, or goes on holding it. @returns false when somebody else holds it */
  hold(): Promise<boolean>
  release(): Promise<void>
}

/** Longer than anything that is done between two calls of `hold`; so long is everybody kept waiting after a crash. */
const LEASE_MS = 60_000

/** @param owner another one for every process and every start */
export function createLease(
  deps: { store: Pick<StoreTransaction, 'leases'>; clock: Clock },
  name: string,
  owner: string,
): Lease {
  const { store, clock } = deps
  let renewAt = Number.NEGATIVE_INFINITY
  return {
    async hold() {
      // By the steady clock: the other one may be set while the lease is held.
      if (performance.now() < renewAt) return true
      const now = clock.now()
      const held = await store.leases.take(name, owner, now, now + LEASE_MS)
      renewAt = held ? performance.now() + LEASE_MS / 2 : Number.NEGATIVE_INFINITY
      return held
    },
    async release() {
      renewAt = Number.NEGATIVE_INFINITY
      await store.leases.release(name, owner)
    },
  }
}
