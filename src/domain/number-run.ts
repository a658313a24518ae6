/** Receipt numbers from `first` to `last`, both among them. */
export interface NumberRange {
  first: bigint
  last: bigint
}

/** Numbers out of use; those up to `usedTo` are known to have been given out. */
export type ReservedRange = NumberRange & { usedTo: bigint | null }

/** The numbers of one sequence, looked at in the order in which they were given out. */
export interface NumberRun {
  /**
   * @param supplied the caller chose it: the numbers it passes over were never issued, unless one of them comes later
   * @returns what is wrong with it, for people
   */
  take(number: string, supplied: boolean): string | null
  /** The highest one that was given out or reserved; zero before the first. */
  highest(): bigint
  /** What callers passed over and nobody has issued since. */
  passedOver(): NumberRange[]
}

/** So many gaps are remembered one by one: a caller that counts in tens must not fill the memory. */
const MOST_GAPS = 1000

/** @param reserved numbers that are never given out (see ReservedNumbers) */
export function createNumberRun(reserved: readonly ReservedRange[]): NumberRun {
  const inOrder = [...reserved].sort((one, other) => (one.first < other.first ? -1 : 1))
  let issued = 0n
  let gaps: NumberRange[] = []

  function next(): bigint {
    let number = issued + 1n
    for (const { first, last } of inOrder) if (first <= number && number <= last) number = last + 1n
    return number
  }

  function passOver(range: NumberRange): void {
    const open = inOrder.reduce((left, taken) => left.flatMap((gap) => without(gap, taken)), [range])
    gaps = [...gaps, ...open].slice(0, MOST_GAPS)
  }

  return {
    take(text, supplied) {
      const number = BigInt(text)
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
    highest: () => inOrder.reduce((highest, { last }) => (last > highest ? last : highest), issued),
    passedOver: () => gaps,
  }
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
