import { SyncFailure, stateOf } from './failure.ts'

const FIRST_MS = 1000
const LONGEST_MS = 5 * 60_000
const HOUR_MS = 3_600_000
const REPLACED_MS = 30_000

/** How long a server that has failed is left alone. Pure but for `random`. */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const state = stateOf(error)
  // Only somebody with a new token can mend it.
  if (state === 'revoked' || state === 'duplicated' || state === 'unreadable') return HOUR_MS * (0.9 + 0.2 * random())
  const first = state === 'replaced' ? REPLACED_MS : FIRST_MS
  const bound = Math.min(LONGEST_MS, first * 2 ** Math.min(failures - 1, 20))
  // All of a fleet lost the server at once, and must not come back at once.
  const jittered = state === 'replaced' ? bound * (0.5 + 0.5 * random()) : bound * random()
  const asked = error instanceof SyncFailure ? error.retryAfterMs : null
  return asked === null ? jittered : Math.min(asked, HOUR_MS) + FIRST_MS * random()
}
