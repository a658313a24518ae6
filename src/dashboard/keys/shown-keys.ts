import type { EpochMs } from '../../domain/instant.ts'

/** Enough to copy a key, and to load the page again. */
const SHOWN_FOR_MS = 5 * 60_000
/** More keys than users make at once. */
const MOST = 100

/**
 * New keys, shown only to the user who made them. They are kept only in memory and for a short time, so that a double
 * click or a reload of the page does not lose a key.
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
