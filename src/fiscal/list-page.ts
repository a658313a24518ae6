import { setImmediate } from 'node:timers/promises'
import { invalidRequest } from '../domain/errors.ts'
import { bytesOf, LARGE_ROWS, PAGE_BYTES } from '../domain/json-limits.ts'
import type { Position, Slice } from './ports/rows/lists.ts'

/** The paged lists. The name is part of the cursor, so a cursor of one list is not valid in another. */
export type ListName = 'invoices' | 'companies' | 'devices' | 'audit' | 'commands' | 'alerts'

const DEFAULT_LIMIT = 50

/** An opaque text for callers: the sort key of the last row. */
export function writeCursor(list: ListName, { at, id }: Position): string {
  return Buffer.from(`${list} ${at} ${id}`, 'utf8').toString('base64url')
}

const PLACE = /^([a-z]+) (\d{1,15}) ([!-~]{1,100})$/

/** @throws FiskError `invalid_request` for an invalid cursor or one of another list */
export function readSlice(list: ListName, query: { limit?: string | undefined; cursor?: string | undefined }): Slice {
  const { limit, cursor } = query
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    after: cursor === undefined ? undefined : readCursor(list, cursor),
  }
}

function readCursor(list: ListName, cursor: string): Position {
  const [, name, at = '', id = ''] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  const position = { at: Number(at), id }
  // Base64 decoding is lenient, so check that the cursor is exactly the text written for this position.
  if (name === list && writeCursor(list, position) === cursor) return position
  throw invalidRequest('cursor', `cursor is not the next_cursor of a page of ${list}`)
}

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
