import type { Clock } from './ports/clock.ts'
import type { StoreTransaction } from './ports/store.ts'

/** A right that only one process at a time has, among all processes that share a database. */
export interface Lease {
  /** Takes or renews the lease. @returns false when another process holds it */
  hold(): Promise<boolean>
  release(): Promise<void>
}

/** Longer than any work between two calls of `hold`. After a crash, the other processes wait this long. */
const LEASE_MS = 60_000

/** @param owner unique for every process and every start */
export function createLease(deps: { store: StoreTransaction; clock: Clock }, name: string, owner: string): Lease {
  const { store, clock } = deps
  let renewAt = Number.NEGATIVE_INFINITY
  return {
    async hold() {
      // By the steady clock: the system clock may be set while the lease is held.
      if (performance.now() < renewAt) return true
      // From before the question: the answer may be late.
      const askedAt = performance.now()
      const held = await store.leases.take(name, owner, clock.now(), LEASE_MS)
      renewAt = held ? askedAt + LEASE_MS / 2 : Number.NEGATIVE_INFINITY
      return held
    },
    async release() {
      renewAt = Number.NEGATIVE_INFINITY
      await store.leases.release(name, owner)
    },
  }
}
