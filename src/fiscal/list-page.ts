import type { Position, Slice } from './ports/rows/lists.ts'

/** One page of a list. */
export interface Page<T> {
  items: T[]
  /** The position that the next page starts after; null on the last page. */
  next: Position | null
}

/** Reads one row more than requested, which tells without counting whether there is another page. */
export async function pageOf<T>(
  { limit, after }: Slice,
  read: (slice: Slice) => Promise<T[]>,
  positionOf: (item: T) => Position,
): Promise<Page<T>> {
  const rows = await read({ limit: limit + 1, after })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? positionOf(last) : null }
}
