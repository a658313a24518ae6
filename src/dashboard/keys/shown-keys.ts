import type { EpochMs } from '../../domain/instant.ts'

/** Enough to copy a key, and to load the page again. */
const SHOWN_FOR_MS = 5 * 60_000
/** Nobody makes that many at once. */
const MOST = 100

/**
 * Keys that were just made, for whoever made them: nothing stored knows them. They are in memory alone and not for long,
 * so that a double click or a page that is loaded again does not lose one.
 */
export function createShownKeys(now: () => EpochMs) {
  const keys = new Map<string, { key: string; userId: string; until: EpochMs }>()
  const forget = () => {
    for (const [id, { until }] of keys) if (until <= now() || keys.size > MOST) keys.delete(id)
  }
  return {
    keep(id: string, userId: string, key: string): void {
      keys.set(id, { key, userId, until: now() + SHOWN_FOR_MS })
      forget()
      setTimeout(forget, SHOWN_FOR_MS).unref()
    },
    find(id: string, userId: string): string | undefined {
      forget()
      const kept = keys.get(id)
      return kept?.userId === userId ? kept.key : undefined
    },
  }
}
