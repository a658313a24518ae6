import { invalidRequest } from '../domain/errors.ts'
import type { Position, Slice } from './ports/rows/lists.ts'

/** The lists that come in pages. The name is in the cursor: a place in one list is none in another. */
export type ListName = 'invoices' | 'companies' | 'devices' | 'audit' | 'commands' | 'alerts'

const DEFAULT_LIMIT = 50

/** Opaque to callers: the place of the last row, by what the list is ordered by. */
export function writeCursor(list: ListName, { at, id }: Position): string {
  return Buffer.from(`${list} ${at} ${id}`, 'utf8').toString('base64url')
}

const PLACE = /^([a-z]+) (\d{1,15}) ([!-~]{1,100})$/

/** @throws FiskError `invalid_request` for a cursor of another list, or for none of ours */
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
  // Written again it must be the same text: what base64 forgives is not ours.
  if (name === list && writeCursor(list, position) === cursor) return position
  throw invalidRequest('cursor', `cursor is not the next_cursor of a page of ${list}`)
}
