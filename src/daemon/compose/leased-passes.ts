import { randomUUID } from 'node:crypto'
import { createLease, type Lease } from '../../fiscal/lease.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import { DatabaseAway, NotStored } from '../../fiscal/ports/store.ts'
import type { OpenStore } from '../../store/store.ts'
import { oneAtATime } from '../lifecycle/one-at-a-time.ts'

export interface PassDeps {
  store: OpenStore
  clock: Clock
  /** Of the lease. */
  name: string
  /** @returns a pass, which may return in how many milliseconds the next one begins */
  passOf(lease: Lease, signal: AbortSignal): () => Promise<number> | Promise<void>
  /** From one pass to the next, and to the first one. */
  everyMs: number
  firstAfterMs?: number
  onFault(error: unknown): void
}

/** Work in the background that one process at a time does, pass after pass. */
export function createLeasedPasses(deps: PassDeps) {
  const { store, clock, name, everyMs, firstAfterMs = everyMs, onFault } = deps
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
      if (!(error instanceof DatabaseAway) || error instanceof NotStored) onFault(error)
    })
    if (!signal.aborted) timer = setTimeout(passes.run, nextAfterMs ?? everyMs)
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
    stop,
    async close(): Promise<void> {
      stop()
      await passes.ended()
      // Where it cannot be given back, it runs out.
      await held.release().catch(() => {})
    },
  }
}
