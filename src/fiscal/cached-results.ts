import type { Clock } from './ports/clock.ts'

/** When there are more results, all are forgotten. */
const MOST = 1000

/** For what changes hardly ever: nobody waits for it, unless the one before is older than an hour. */
export const EARLIER_LASTS_MS = 300_000
export const EARLIER_USABLE_MS = 3_600_000

/**
 * Caches the result of `work` per key for `lastsMs` from its start; failures are not cached.
 * @param usableMs as long as this an older result is still given, at once, while the next one is worked out; when that
 *   fails, the next one who asks begins it again
 */
export function cachingFor<T>(
  clock: Clock,
  lastsMs: number,
  usableMs = lastsMs,
): (key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { begunAt: number; result: Promise<T>; isRenewed: boolean }>()
  return (key, work) => {
    const now = clock.now()
    // Also those of other keys: a result may be large.
    for (const [one, { begunAt }] of known) if (now < begunAt || now - begunAt >= usableMs) known.delete(one)
    const before = known.get(key)
    if (before) {
      if (now - before.begunAt >= lastsMs && !before.isRenewed) renew(key, before, work(), now)
      return before.result
    }
    if (known.size >= MOST) known.clear()
    const entry = { begunAt: now, result: work(), isRenewed: false }
    known.set(key, entry)
    entry.result.catch(() => {
      if (known.get(key) === entry) known.delete(key)
    })
    return entry.result
  }

  function renew(key: string, before: { isRenewed: boolean }, result: Promise<T>, begunAt: number): void {
    before.isRenewed = true
    result.then(
      () => {
        if (known.get(key) === before) known.set(key, { begunAt, result, isRenewed: false })
      },
      () => {
        before.isRenewed = false
      },
    )
  }
}
