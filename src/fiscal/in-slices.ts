import { setImmediate } from 'node:timers/promises'
import type { EpochMs } from '../domain/instant.ts'
import type { Position } from './ports/rows/lists.ts'

/** Rows per query: a sale in between waits for a few milliseconds. */
const SLICE = 200

/** A list in slices of `limit` rows; sales go on between two. @param read the slice behind a row, or the first */
export async function* slicesOf<Row>(
  limit: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    await setImmediate()
  }
}

/** Each row of a list, the oldest first, read in slices. */
export async function* inSlices<Row extends { id: string; createdAt: EpochMs }>(
  read: (slice: { limit: number; after: Position | undefined }) => Promise<Row[]>,
): AsyncGenerator<Row> {
  const readAfter = (last: Row | undefined) =>
    read({ limit: SLICE, after: last && { at: last.createdAt, id: last.id } })
  for await (const rows of slicesOf(SLICE, readAfter)) yield* rows
}
