import type { Clock } from './ports/clock.ts'

/** When there are more results, all are forgotten. */
const MOST = 1000

/**
 * Caches the result of `work` per key for `lastsMs`. Failures are not cached.
 * @param lastsMs counts from the start of the work
 */
export function cachingFor<T>(clock: Clock, lastsMs: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { begunAt: number; result: Promise<T> }>()
  return (key, work) => {
    const now = clock.now()
    // Also those of other keys: a result may be large.
    for (const [one, { begunAt }] of known) if (now < begunAt || now - begunAt >= lastsMs) known.delete(one)
    const before = known.get(key)
    if (before) return before.result
    if (known.size >= MOST) known.clear()
    const entry = { begunAt: now, result: work() }
    known.set(key, entry)
    entry.result.catch(() => {
      if (known.get(key) === entry) known.delete(key)
    })
    return entry.result
  }
}
