import { type SqlBool, sql } from 'kysely'

/**
 * Rows of these companies; of none when the list is empty.
 * @param column the column of the company's id
 * @param index `unindexed` where the index of another condition reads less
 */
export function ofCompanies(column: string, ids: readonly string[], index: 'indexed' | 'unindexed' = 'indexed') {
  if (ids.length === 0) return sql<SqlBool>`1 = 0`
  const value = index === 'indexed' ? sql.ref(column) : sql`${sql.ref(column)} || ''`
  return sql<SqlBool>`${value} IN (${sql.join(ids)})`
}
