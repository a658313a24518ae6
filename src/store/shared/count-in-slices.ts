import { setImmediate } from 'node:timers/promises'

/** Rows per slice: about a millisecond on a small board. */
const SLICE = 5000

/**
 * Counts the rows behind a position. The count is approximate: other work runs between the slices, and may change rows.
 * @param passing returns the position of the row that many rows behind a position; undefined when there are fewer rows
 * @param counting counts all rows behind a position at once
 */
export async function countInSlices<Position>(
  start: Position,
  passing: (after: Position, rows: number) => Promise<Position | undefined>,
  counting: (after: Position) => Promise<number>,
): Promise<number> {
  let count = 0
  for (let after = start; ; count += SLICE) {
    const next = await passing(after, SLICE)
    if (next === undefined) return count + (await counting(after))
    after = next
    await setImmediate()
  }
}
