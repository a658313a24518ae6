import { FiskError } from '../domain/errors.ts'
import { DatabaseAway } from './ports/store.ts'

/** PostgreSQL is back within seconds of a restart or a failover. */
const AGAIN_S = 2

/**
 * What a caller is told whose request failed because the database is away; undefined for any other error.
 * @param status `/v1` keeps 503 for health (docs/spec/interface.md, Errors) and says 500; all others say 503
 */
export function refusalWhileAway(error: unknown, status: 500 | 503): FiskError | undefined {
  if (!isAway(error)) return undefined
  return new FiskError('internal_error', 'the database cannot be reached; fiskd connects to it again by itself', {
    status,
    reason: 'database_away',
    retryAfterS: AGAIN_S,
    cause: error,
  })
}

function isAway(error: unknown): boolean {
  if (error instanceof FiskError && error.status < 500) return false
  return error instanceof DatabaseAway || (error instanceof Error && isAway(error.cause))
}
