import { randomUUID } from 'node:crypto'
import { createLease, type Lease } from '../../fiscal/lease.ts'
import { DatabaseAway, NotStored } from '../../fiscal/ports/store.ts'
import { oneAtATime } from '../lifecycle/one-at-a-time.ts'
import type { Base } from './base.ts'

interface Passes {
  /** Of the lease. */
  name: string
  /** @returns a pass, which may return in how many milliseconds the next one begins */
  passOf(lease: Lease, signal: AbortSignal): () => Promise<number> | Promise<void>
  /** From one pass to the next, and to the first one. */
  everyMs: number
  firstAfterMs?: number
  /** What is logged of a pass that failed. */
  fault: string
}

/** Work in the background that one process at a time does, pass after pass. */
export function createLeasedPasses({ store, clock, log }: Base, passes: Passes) {
  const { name, everyMs, firstAfterMs = everyMs, fault } = passes
  const stopping = new AbortController()
  const { signal } = stopping
  const held = createLease({ store, clock }, name, randomUUID())
  const lease = { hold: async () => !signal.aborted && held.hold(), release: held.release }
  const pass = passes.passOf(lease, signal)
  let timer: NodeJS.Timeout | undefined
  const turns = oneAtATime(async () => {
    if (signal.aborted) return
    clearTimeout(timer)
    const nextAfterMs = await pass().catch((error: unknown) => {
      if (!(error instanceof DatabaseAway) || error instanceof NotStored) log.error({ err: error }, fault)
    })
    if (!signal.aborted) timer = setTimeout(turns.run, nextAfterMs ?? everyMs)
  })
  const stop = () => {
    stopping.abort()
    clearTimeout(timer)
  }
  return {
    /** Begins a pass now, or after the one under way. Never rejects. */
    run: turns.run,
    start(): void {
      clearTimeout(timer)
      timer = setTimeout(turns.run, firstAfterMs)
    },
    stop,
    async close(): Promise<void> {
      stop()
      await turns.ended()
      // Where it cannot be given back, it runs out.
      await held.release().catch(() => {})
    },
  }
}
