import { randomBytes } from 'node:crypto'
import type { EpochMs } from '../domain/instant.ts'

let made = 0

/**
 * Time first, so that neighbours in time are neighbours in the index; then a count, so that what happens within one
 * millisecond stays in order; the rest is random.
 */
export function timeOrderedId(at: EpochMs): string {
  made = (made + 1) % 0x1000000
  return `${hex(at, 12)}${hex(made, 6)}${randomBytes(7).toString('hex')}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
