import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres } from '../dialects.ts'

/**
 * A read that also locks the rows until the transaction ends. It first waits for transactions that have changed them.
 * Rows that refer to them can still be stored: a sale does not wait for a change of its company.
 */
export function locked<DB, T extends keyof DB, Row>(db: Db, query: SelectQueryBuilder<DB, T, Row>) {
  return isPostgres(db) ? query.forNoKeyUpdate() : query
}
