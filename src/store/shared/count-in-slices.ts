import { setImmediate } from 'node:timers/promises'

/** Rows per slice: about a millisecond on a small board. */
const SLICE = 5000

/**
 * Counts the rows behind a place. The count is approximate: other work runs between the slices, and may change rows.
 * @param passing returns the place of the row that many rows behind a place; undefined when there are fewer rows
 * @param counting counts all rows behind a place at once
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
