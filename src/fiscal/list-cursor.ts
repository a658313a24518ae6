import { invalidRequest } from '../domain/errors.ts'
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
