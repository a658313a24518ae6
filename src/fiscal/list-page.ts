import { setImmediate } from 'node:timers/promises'
import { bytesOf, LARGE_ROWS, PAGE_BYTES } from '../domain/json-size.ts'
import type { Position, Slice } from './ports/rows/lists.ts'

export interface Page<T> {
  items: T[]
  /** The position that the next page starts after; null on the last page. */
  next: Position | null
}

/**
 * A page of at most `limit` rows and `PAGE_BYTES`, and of one row at least. A few rows are read at a time, and in all one
 * more than fits, which tells without counting whether there is another page.
 */
export async function pageOf<T>(
  { limit, after }: Slice,
  read: (slice: Slice) => Promise<T[]>,
  positionOf: (item: T) => Position,
): Promise<Page<T>> {
  const items: T[] = []
  let bytes = 0
  for (let last: T | undefined; ; ) {
    const wanted = Math.min(LARGE_ROWS, limit + 1 - items.length)
    const rows = await read({ limit: wanted, after: last ? positionOf(last) : after })
    for (const row of rows) {
      bytes += bytesOf(row)
      if (last && (items.length === limit || bytes > PAGE_BYTES)) return { items, next: positionOf(last) }
      items.push(row)
      last = row
    }
    if (rows.length < wanted) return { items, next: null }
    await setImmediate()
  }
}
