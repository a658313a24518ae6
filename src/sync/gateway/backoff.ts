import { SyncFailure, stateOf } from './failure.ts'

const FIRST_MS = 1000
const LONGEST_MS = 5 * 60_000
const HOUR_MS = 3_600_000
const REPLACED_MS = 30_000

/** How long to wait before the next request to a server that has failed, milliseconds. Pure except for `random`. */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const state = stateOf(error)
  // Only a new token can fix this.
  if (state === 'revoked' || state === 'duplicated' || state === 'unreadable') return HOUR_MS * (0.9 + 0.2 * random())
  const first = state === 'replaced' ? REPLACED_MS : FIRST_MS
  const bound = Math.min(LONGEST_MS, first * 2 ** Math.min(failures - 1, 20))
  // All gateways of a fleet lost the server at the same time, and must not return at the same time.
  const jittered = state === 'replaced' ? bound * (0.5 + 0.5 * random()) : bound * random()
  const asked = error instanceof SyncFailure ? error.retryAfterMs : null
  return asked === null ? jittered : Math.min(asked, HOUR_MS) + FIRST_MS * random()
}
