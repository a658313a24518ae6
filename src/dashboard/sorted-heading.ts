/**
 * The heading of a column by which a list can be ordered, for `partials/table.eta`: once more turns the order round.
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
) {
  /** How the list is ordered by this column now; null when it is ordered by another one. */
  const sorted = order.by === by ? order.direction : null
  const turned = sorted === 'ascending' ? 'descending' : 'ascending'
  return { text, sorted, url: url(by, sorted === null ? firstDirection : turned) }
}
