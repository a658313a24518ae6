import { randomBytes } from 'node:crypto'
import type { EpochMs } from '../domain/instant.ts'

/** Time first, so that neighbours in time are neighbours in the index; the rest is random. */
export function timeOrderedId(at: EpochMs): string {
  return `${at.toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`
}
