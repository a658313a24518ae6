import { randomUUID } from 'node:crypto'
import { createLease, type Lease } from '../../fiscal/lease.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import { DatabaseAway } from '../../fiscal/ports/store.ts'
import type { OpenStore } from '../../store/store.ts'
import { oneAtATime } from '../lifecycle/one-at-a-time.ts'

export interface PassDeps {
  store: OpenStore
  clock: Clock
  /** Of the lease. */
  name: string
  firstAfterMs: number
  /** @returns a pass, which returns in how many milliseconds the next one begins */
  passOf(lease: Lease, signal: AbortSignal): () => Promise<number>
  /** After a pass that failed. */
  againAfterMs: number
  onFault(error: unknown): void
}

/** Work in the background that one process at a time does, pass after pass. */
export function createLeasedPasses(deps: PassDeps) {
  const { store, clock, name, firstAfterMs, againAfterMs, onFault } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const held = createLease({ store, clock }, name, randomUUID())
  const lease = { hold: async () => !signal.aborted && held.hold(), release: held.release }
  const pass = deps.passOf(lease, signal)
  let timer: NodeJS.Timeout | undefined
  const passes = oneAtATime(async () => {
    if (signal.aborted) return
    clearTimeout(timer)
    const nextAfterMs = await pass().catch((error: unknown) => {
      if (!(error instanceof DatabaseAway)) onFault(error)
      return againAfterMs
    })
    if (!signal.aborted) timer = setTimeout(passes.run, nextAfterMs)
  })
  const stop = () => {
    stopping.abort()
    clearTimeout(timer)
  }
  return {
    /** Begins a pass now, or after the one under way. Never rejects. */
    run: passes.run,
    start(): void {
      clearTimeout(timer)
      timer = setTimeout(passes.run, firstAfterMs)
    },
    /** Begins no other pass. */
    stop,
    async close(): Promise<void> {
      stop()
      await passes.ended()
      // Where it cannot be given back, it runs out.
      await held.release().catch(() => {})
    },
  }
}
