import type { TimeWord } from '../ports/clock.ts'

/** An answer of the tax authority is some seconds old, and its own clock may be off by a few minutes. */
export const WITNESS_TOLERANCE_MS = 600_000
export const isNear = (one: number, other: number) => Math.abs(one - other) <= WITNESS_TOLERANCE_MS

const CONTRADICTS_MS = 3_600_000
const APART_MS = 1000

interface HeardDate extends Pick<TimeWord, 'connection'> {
  said: number
  elapsed: number
}

/**
 * The time by two words of the tax authority, of two connections at least a second apart, that agree with each other and
 * contradict the machine's clock by more than an hour. It moves no clock; a sale that lies in its future is refused all
 * the same, so that a machine that is weeks ahead takes no number of the next year. Times are origins, as in `ClockWatch`.
 */
export function createAgreedDates() {
  let first: HeardDate | null = null
  let agreed: number | null = null
  const contradicts = (said: number, shown: number) => Math.abs(said - shown) > CONTRADICTS_MS
  return {
    /** @param shown what the clock of the machine shows */
    note(date: HeardDate, shown: number): void {
      const { said, connection, elapsed } = date
      if (!contradicts(said, shown)) {
        first = agreed = null
      } else if (agreed !== null && isNear(agreed, said)) {
        agreed = said
      } else if (first === null || !isNear(first.said, said)) {
        first = date
      } else if (connection !== first.connection && elapsed - first.elapsed >= APART_MS) {
        agreed = said
      }
    },
    /** Two words of which one is signed have moved the time. */
    settle(said: number): void {
      agreed = said
    },
    /** Null while nothing contradicts the clock. */
    against: (shown: number): number | null => (agreed !== null && contradicts(agreed, shown) ? agreed : null),
  }
}
