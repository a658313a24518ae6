import { randomBytes } from 'node:crypto'
import type { EpochMs } from '../domain/instant.ts'

let made = 0

/**
 * The id starts with the time, so that rows of similar age are close in the index; then a counter keeps the order
 * within one millisecond; the rest is random.
 */
export function timeOrderedId(at: EpochMs): string {
  made = (made + 1) % 0x1000000
  return `${hex(at, 12)}${hex(made, 6)}${randomBytes(7).toString('hex')}`
}

/** The smallest possible id at this moment. */
export function firstIdAt(at: EpochMs): string {
  return hex(at, 12)
}

/** A time-ordered id as UUID version 7 (RFC 9562). */
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
