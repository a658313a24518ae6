import { randomFillSync } from 'node:crypto'
import type { EpochMs } from '../domain/instant.ts'

let made = 0

/** Random bytes are taken from the system some hundred at a time, as `randomUUID` does: asking takes longer than an id does. */
const random = Buffer.alloc(1024)
let taken = random.length

/** Time, so that rows of an age are close in the index; a counter for the order in a millisecond; random bits. */
export function timeOrderedId(at: EpochMs): string {
  made = (made + 1) % 0x1000000
  return `${hex(at, 12)}${hex(made, 6)}${randomTaken(7).toString('hex')}`
}

/** The smallest possible id at this moment. */
export const firstIdAt = (at: EpochMs): string => hex(at, 12)

/** A time-ordered id as UUID version 7 (RFC 9562). */
export function timeOrderedUuid(at: EpochMs): string {
  made = (made + 1) % 0x1000000
  const time = hex(at, 12)
  const own = randomTaken(8)
  own[0] = ((own[0] as number) & 0x3f) | 0x80
  const rest = own.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(made % 0x1000, 3)}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** Bytes that nobody else is given; they are overwritten some ids later. */
function randomTaken(count: number): Buffer {
  if (taken + count > random.length) {
    randomFillSync(random)
    taken = 0
  }
  taken += count
  return random.subarray(taken - count, taken)
}
