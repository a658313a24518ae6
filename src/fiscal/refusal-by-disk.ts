import { FiskError } from '../domain/errors.ts'
import { type DiskFault, diskFaultOf } from './ports/disk-fault.ts'

/** A daemon that ends because of its disk is back by then. */
const AGAIN_S = 10

const SAID: Record<DiskFault, string> = {
  full: 'the disk is full: nothing can be stored',
  refuses_writes: 'the memory card or disk refuses to write: send the same request with the same key again',
  unreadable: 'the memory card or disk cannot be read',
}

/** What a caller is told whose request failed because of the disk; undefined for any other error. */
export function refusalByDisk(error: unknown): FiskError | undefined {
  const fault = diskFaultOf(error)
  if (fault === null) return undefined
  return new FiskError('internal_error', SAID[fault], { retryAfterS: AGAIN_S, cause: error })
}
