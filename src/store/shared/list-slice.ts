import { type SqlBool, sql } from 'kysely'
import type { Position } from '../../fiscal/ports/rows/lists.ts'

/** The rows beyond a place in a list, by the pair of columns that the list is ordered by: an index finds them at once. */
export function beyond(at: string, id: string, direction: '<' | '>', after: Position) {
  return sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(direction)} (${after.at}, ${after.id})`
}
