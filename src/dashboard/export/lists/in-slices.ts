import { setImmediate } from 'node:timers/promises'
import type { Page } from '../../../fiscal/list-page.ts'
import type { Slice } from '../../../fiscal/ports/rows/lists.ts'
import type { Cell } from '../../../reports/tables/cells.ts'

const SLICE = 100

/** All rows of a list that is read page by page, with pauses for sales. */
export async function* rowsOfPages<T>(
  read: (slice: Slice) => Promise<Page<T>>,
  rowOf: (item: T) => Cell[],
): AsyncGenerator<Cell[][]> {
  for (let after: Slice['after']; ; await setImmediate()) {
    const { items, next } = await read({ limit: SLICE, after })
    if (items.length > 0) yield items.map(rowOf)
    if (next === null) return
    after = next
  }
}

/** The same of a list that is in memory. */
export async function* rowsOfAll<T>(all: readonly T[], rowOf: (item: T) => Cell[]): AsyncGenerator<Cell[][]> {
  for (let start = 0; start < all.length; start += SLICE) {
    yield all.slice(start, start + SLICE).map(rowOf)
    await setImmediate()
  }
}
