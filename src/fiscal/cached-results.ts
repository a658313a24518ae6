import type { Clock } from './ports/clock.ts'

/** When the cache is larger, it is cleared. */
const MOST = 1000

/**
 * Caches the result of `work` per key for `lastsMs`. Failures are not cached.
 * @param lastsMs counts from the start of the work
 */
export function cachingFor<T>(clock: Clock, lastsMs: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { begunAt: number; result: Promise<T> }>()
  return (key, work) => {
    const now = clock.now()
    const before = known.get(key)
    if (before && now >= before.begunAt && now - before.begunAt < lastsMs) return before.result
    if (known.size >= MOST) known.clear()
    const entry = { begunAt: now, result: work() }
    known.set(key, entry)
    entry.result.catch(() => {
      if (known.get(key) === entry) known.delete(key)
    })
    return entry.result
  }
}
