/** The envelope of a list that is complete on its one page. */
export function wholeList<T>(data: T[]) {
  return { object: 'list', data, has_more: false, next_cursor: null }
}
