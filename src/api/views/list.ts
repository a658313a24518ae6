import { type ListName, writeCursor } from '../../fiscal/list-cursor.ts'
import type { Page } from '../../fiscal/list-page.ts'

/** The envelope of a list that is complete on its one page. */
export function wholeList<T>(data: T[]) {
  return { object: 'list' as const, data, has_more: false, next_cursor: null }
}

/** The envelope of one page of a list. */
export function pageList<T, V>(list: ListName, { items, next }: Page<T>, view: (item: T) => V) {
  return {
    object: 'list' as const,
    data: items.map(view),
    has_more: next !== null,
    next_cursor: next && writeCursor(list, next),
  }
}
