/** A stream of choices that a seed repeats. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number
  between(least: number, most: number): number
  happens(probability: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  /** A stream of its own, so that one party's number of choices does not change another's. */
  branch(): Chance
}

/** mulberry32: small, and even enough to choose moments with. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    happens: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    branch: () => createChance(Math.floor(next() * 2 ** 32)),
  }
}
