import { setTimeout as pause } from 'node:timers/promises'

/** A piece of work that a sale would have to do, too. */
export type Step = () => Promise<unknown>

export interface Course {
  /** Resolves when the first step is over, or will not begin. */
  first: Promise<void>
  /** Resolves at the end, with whether a sale's way was gone through: by a step, or by a sale meanwhile. */
  ended: Promise<boolean>
}

export interface WarmUpOptions {
  /** Each is made when its turn comes. A step that throws ends the warm-up: a sale would say why. */
  steps: () => AsyncIterable<Step> | Iterable<Step>
  /** How many sales have begun so far: the first one ends the warm-up, for it does the same. */
  sales: () => number
}

/** Between two steps others have the processor for as long as a step took, and for this time at least. */
const LEAST_PAUSE_MS = 2

/** The first customer is not to wait for the engine to compile. Whatever has arrived is handled between two steps. */
export function createWarmUp({ steps, sales }: WarmUpOptions) {
  const stopping = new AbortController()
  let running = Promise.resolve(false)

  async function run(onFirst: () => void): Promise<boolean> {
    const before = sales()
    let took = 0
    let isThrough = false
    for await (const step of steps()) {
      await pause(Math.max(LEAST_PAUSE_MS, took), undefined, { ref: false, signal: stopping.signal })
      if (sales() !== before) return true
      const began = performance.now()
      await step()
      took = performance.now() - began
      isThrough = true
      onFirst()
    }
    return isThrough
  }

  return {
    start(): Course {
      // It changes nothing that anybody asked for: whatever it fails on is for a sale to report.
      const { promise: first, resolve: onFirst } = Promise.withResolvers<void>()
      running = run(onFirst)
        .catch(() => false)
        .finally(onFirst)
      return { first, ended: running }
    },
    stop: (): void => stopping.abort(),
    /** Resolves when no step runs. */
    close: async (): Promise<void> => void (await running),
  }
}
