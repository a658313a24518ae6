import { SyncFailure, stateOf } from './failure.ts'

const FIRST_MS = 1000
/** With the ten seconds that a connection may take, a gateway is back within a minute, however long the outage was. */
const LONGEST_MS = 50_000
const HOUR_MS = 3_600_000
const REPLACED_MS = 30_000
const REPLACED_LONGEST_MS = 5 * 60_000

/** How long to wait before the next request to a server that has failed, milliseconds. Pure except for `random`. */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const state = stateOf(error)
  // Only a new token can fix this.
  if (state === 'revoked' || state === 'duplicated' || state === 'unreadable') return HOUR_MS * (0.9 + 0.2 * random())
  const doublings = 2 ** Math.min(failures - 1, 20)
  if (state === 'replaced') return Math.min(REPLACED_LONGEST_MS, REPLACED_MS * doublings) * (0.5 + 0.5 * random())
  const bound = Math.min(LONGEST_MS, FIRST_MS * doublings)
  // All gateways of a fleet lost the server at the same time, or were told the same, and must not return at one moment.
  const asked = (error instanceof SyncFailure && error.retryAfterMs) || 0
  const least = Math.min(asked, LONGEST_MS / 2)
  return least + random() * Math.min(LONGEST_MS - least, Math.max(bound, least))
}
