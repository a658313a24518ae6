/** Where the other pages of a list are, for `partials/pager.eta`; null where there is nothing to go to. */
export interface Pager {
  first: string | null
  previous: string | null
  next: string | null
  last: string | null
}

/** A heading of a column for `partials/sorted-heading.eta`: its link orders the list by the column. */
export interface SortedHeading {
  text: string
  /** Null where the list cannot be ordered by this column. */
  url: string | null
  /** How the list is ordered by this column now; null when it is ordered by another one. */
  sorted: 'ascending' | 'descending' | null
  isNumber?: boolean
}

/**
 * The heading of a column by which a list can be ordered: once more turns the order round.
 * @param order the present order of the list
 * @param url the address of the first page in an order
 * @param firstDirection the direction when the list is ordered by another column so far
 */
export function sortedHeading<By extends string>(
  text: string,
  by: By,
  order: { by: string; direction: 'ascending' | 'descending' },
  url: (by: By, direction: 'ascending' | 'descending') => string,
  firstDirection: 'ascending' | 'descending' = 'descending',
): SortedHeading {
  const sorted = order.by === by ? order.direction : null
  const turned = sorted === 'ascending' ? 'descending' : 'ascending'
  return { text, sorted, url: url(by, sorted === null ? firstDirection : turned) }
}
