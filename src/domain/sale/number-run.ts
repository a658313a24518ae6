/** Receipt numbers from `first` to `last`, both included. */
export interface NumberRange {
  first: bigint
  last: bigint
}

/** Numbers out of use; numbers up to `usedTo` are known to be given out. */
type ReservedRange = NumberRange & { usedTo: bigint | null }

/** At most this many gaps are remembered, so that a caller that counts in tens does not fill the memory. */
const MOST_GAPS = 1000

/** Checks the numbers of one sequence, in the order in which they were given out. */
export type NumberRun = ReturnType<typeof createNumberRun>

/** `reserved` are never given out (see ReservedNumbers); the counting skips `ahead` (see NumberAhead). */
export function createNumberRun(reserved: readonly ReservedRange[], ahead: ReadonlySet<bigint> = NONE) {
  const inOrder = [...reserved].sort((one, other) => (one.first < other.first ? -1 : 1))
  let issued = 0n
  let gaps: NumberRange[] = []

  function next(): bigint {
    for (let number = issued + 1n; ; ) {
      const taken = inOrder.find(({ first, last }) => first <= number && number <= last)
      if (taken) number = taken.last + 1n
      else if (ahead.has(number)) number++
      else return number
    }
  }

  function passOver(range: NumberRange): void {
    const used = aheadIn(range, ahead).map((number) => ({ first: number, last: number }))
    const open = [...inOrder, ...used].reduce((left, taken) => left.flatMap((gap) => without(gap, taken)), [range])
    gaps = [...gaps, ...open].slice(0, MOST_GAPS)
  }

  return {
    /**
     * @param supplied the caller chose it: the numbers it skips were not issued, unless one of them is issued later
     * @returns what is wrong with it, for people; null when it is right
     */
    take(text: string, supplied: boolean): string | null {
      const number = BigInt(text)
      if (ahead.has(number)) return null
      const expected = next()
      const above = number > issued
      if (supplied && above) passOver({ first: issued + 1n, last: number - 1n })
      if (!above) gaps = gaps.flatMap((gap) => without(gap, { first: number, last: number }))
      if (above) issued = number
      if (inOrder.some(({ first, usedTo }) => usedTo !== null && first <= number && number <= usedTo)) {
        return 'it was given out before a backup was restored'
      }
      if (supplied || number === expected) return null
      if (number > expected) return `${written({ first: expected, last: number - 1n })} should have come before`
      return above ? 'it was reserved' : 'it was given out before'
    },
    /** The highest number given out or reserved; zero when there is none. */
    highest: (): bigint => inOrder.reduce((highest, { last }) => (last > highest ? last : highest), issued),
    /** The numbers that callers skipped and that were not issued later. */
    passedOver: (): NumberRange[] => gaps,
  }
}

const NONE: ReadonlySet<bigint> = new Set()

/** The numbers of `ahead` in the range; the cost is the smaller one of both sizes. */
function aheadIn({ first, last }: NumberRange, ahead: ReadonlySet<bigint>): bigint[] {
  if (BigInt(ahead.size) <= last - first) return [...ahead].filter((number) => first <= number && number <= last)
  return Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, i) => first + BigInt(i)).filter((number) =>
    ahead.has(number),
  )
}

/** `7`, or `7 to 9`. */
export function written({ first, last }: NumberRange): string {
  return first === last ? `${first}` : `${first} to ${last}`
}

function without({ first, last }: NumberRange, taken: NumberRange): NumberRange[] {
  if (taken.last < first || taken.first > last) return first <= last ? [{ first, last }] : []
  return [
    { first, last: taken.first - 1n },
    { first: taken.last + 1n, last },
  ].filter((range) => range.first <= range.last)
}
