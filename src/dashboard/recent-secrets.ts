import type { EpochMs } from '../domain/instant.ts'

/** Enough to copy one, and to load the page again. */
const SHOWN_FOR_MS = 5 * 60_000
/** More are not made at once. */
const MOST = 100

/**
 * API keys and tokens that were just made, for the user who made them: they are stored nowhere. They are in memory alone
 * and not for long, so that a double click or a page that is loaded again does not lose one.
 */
export function createRecentSecrets(now: () => EpochMs) {
  const secrets = new Map<string, { secret: string; userId: string; until: EpochMs }>()
  const forget = () => {
    for (const [id, { until }] of secrets) if (until <= now() || secrets.size > MOST) secrets.delete(id)
  }
  return {
    keep(id: string, userId: string, secret: string): void {
      secrets.set(id, { secret, userId, until: now() + SHOWN_FOR_MS })
      forget()
      setTimeout(forget, SHOWN_FOR_MS).unref()
    },
    find(id: string, userId: string): string | undefined {
      forget()
      const kept = secrets.get(id)
      return kept?.userId === userId ? kept.secret : undefined
    },
  }
}
