import { setImmediate } from 'node:timers/promises'

/** By text, its rank among all. */
export type Ranks = ReadonlyMap<string, number>

const collator = new Intl.Collator('hr', { numeric: true })
/** Texts that are sorted at once: comparing takes a microsecond, and a sale in between waits. */
const SLICE = 500

/**
 * Croatian order; numbers within texts count as numbers. Comparing the names of thousands of machines costs more than
 * reading them, so what was ordered before is kept, and only new texts look for their rank in it.
 */
export function createTextRanks(): (texts: Iterable<string>) => Promise<Ranks> {
  let known: Ranks = new Map()
  return async (texts) => {
    const wanted = new Set(texts)
    const before = known
    const added = [...wanted].filter((text) => !before.has(text))
    if (added.length === 0) return before
    // Texts that are not used any more are kept as long as they are few.
    let sorted = [...before.keys()].filter((text) => before.size < 2 * wanted.size || wanted.has(text))
    for (let start = 0; start < added.length; start += SLICE) {
      await setImmediate()
      const some = added.slice(start, start + SLICE).sort(collator.compare)
      sorted = merged(sorted, some)
    }
    const ranks = new Map(sorted.map((text, rank) => [text, rank]))
    known = ranks
    return ranks
  }
}

function merged(sorted: string[], more: string[]): string[] {
  const all: string[] = []
  let next = 0
  for (const text of more) {
    const at = rankOf(text, sorted, next)
    for (; next < at; next++) all.push(sorted[next] as string)
    all.push(text)
  }
  for (; next < sorted.length; next++) all.push(sorted[next] as string)
  return all
}

/** How many of the sorted texts stand before a text; @param from so many do in any case */
function rankOf(text: string, sorted: readonly string[], from: number): number {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (collator.compare(sorted[middle] as string, text) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
