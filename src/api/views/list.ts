import type { ListView } from '../../contract/list.ts'
import { type ListName, writeCursor } from '../../fiscal/list-cursor.ts'
import type { Page } from '../../fiscal/list-page.ts'

/** The envelope of a list that is complete on its one page. */
export function wholeList<T>(data: T[]): ListView<T> {
  return { object: 'list', data, has_more: false, next_cursor: null }
}

/** The envelope of one page of a list. */
export function pageList<T, V>(list: ListName, { items, next }: Page<T>, view: (item: T) => V): ListView<V> {
  return {
    object: 'list',
    data: items.map(view),
    has_more: next !== null,
    next_cursor: next && writeCursor(list, next),
  }
}
