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

/** No id of this moment or a later one comes before it. */
export function firstIdAt(at: EpochMs): string {
  return hex(at, 12)
}

/** The same in the form of a UUID of version 7 (RFC 9562). */
export function timeOrderedUuid(at: EpochMs): string {
  made = (made + 1) % 0x1000000
  const time = hex(at, 12)
  const random = randomBytes(8)
  random[0] = ((random[0] as number) & 0x3f) | 0x80
  const rest = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(made % 0x1000, 3)}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
