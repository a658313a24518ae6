import type { Clock } from './ports/clock.ts'

/** Above it everything is forgotten. */
const MOST = 1000

/**
 * Does the same work once for all who want it within a while; what fails is not remembered.
 * @param lastsMs from the moment it was begun
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
