import { FiskError } from '../domain/errors.ts'
import { type DiskFault, diskFaultOf } from './ports/disk-fault.ts'
import { DatabaseAway } from './ports/store.ts'

/** After so many seconds a daemon is back that ends because of its disk, and PostgreSQL after a restart or failover. */
const AGAIN_S = { disk: 10, database: 2 }

const SAID: Record<DiskFault, string> = {
  full: 'the disk is full: nothing can be stored',
  refuses_writes: 'the memory card or disk refuses to write: send the same request with the same key again',
  unreadable: 'the memory card or disk cannot be read',
}

/** What a caller is told whose request failed because of the disk; undefined for any other error. */
export function refusalByDisk(error: unknown): FiskError | undefined {
  const fault = diskFaultOf(error)
  if (fault === null) return undefined
  return new FiskError('internal_error', SAID[fault], { retryAfterS: AGAIN_S.disk, cause: error })
}

/**
 * What a caller is told whose request failed because of the database's server; undefined for any other error.
 * @param status `/v1` keeps 503 for health (docs/spec/interface.md, Errors) and says 500; all others say 503
 */
export function refusalWhileAway(error: unknown, status: 500 | 503): FiskError | undefined {
  const away = awayIn(error)
  if (!away) return undefined
  return new FiskError('internal_error', `the database ${away.problem}; fiskd tries it again by itself`, {
    status,
    reason: 'database_away',
    retryAfterS: AGAIN_S.database,
    cause: away,
  })
}

function awayIn(error: unknown): DatabaseAway | undefined {
  if (!(error instanceof Error) || (error instanceof FiskError && error.status < 500)) return undefined
  return error instanceof DatabaseAway ? error : awayIn(error.cause)
}
