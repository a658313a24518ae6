import { setImmediate } from 'node:timers/promises'

/** A millisecond on a small board, about. */
const SLICE = 5000

/**
 * How many rows there are behind a place, about: others have their turn between the slices, and may change them.
 * @param passing the place of the row that is so many behind a place, in order; undefined when there are fewer
 * @param counting how many there are behind a place, all at once
 */
export async function countInSlices<Place>(
  start: Place,
  passing: (after: Place, rows: number) => Promise<Place | undefined>,
  counting: (after: Place) => Promise<number>,
): Promise<number> {
  let count = 0
  for (let after = start; ; count += SLICE) {
    const next = await passing(after, SLICE)
    if (next === undefined) return count + (await counting(after))
    after = next
    await setImmediate()
  }
}
