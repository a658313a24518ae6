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

/**
 * @param reserved numbers that are never given out (see ReservedNumbers)
 * @param ahead numbers that are used and that counting did not follow: it passes over them (see NumberAhead)
 */
export function createNumberRun(reserved: readonly ReservedRange[], ahead: ReadonlySet<bigint> = NONE): NumberRun {
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
    take(text, supplied) {
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
    highest: () => inOrder.reduce((highest, { last }) => (last > highest ? last : highest), issued),
    passedOver: () => gaps,
  }
}

const NONE: ReadonlySet<bigint> = new Set()

/** Those of the range; looks at no more than there are of either. */
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
