import { type RawBuilder, sql } from 'kysely'
import type { Figures, SalesOf, Span, UnconfirmedStatus } from '../../../fiscal/ports/rows/sales.ts'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres, ofCompanies, rawRows } from '../queries.ts'

/** Each status has its own query: for all statuses in one query no database uses the partial index. */
const STATUSES = ['pending', 'retrying', 'failed', 'expired'] as const satisfies UnconfirmedStatus[]
const HOUR_MS = 3_600_000

export function figures(db: Db): Figures {
  const rowsOf = <Row>(query: RawBuilder<unknown>) => rawRows<Row>(db, query)
  const allOf = (parts: RawBuilder<unknown>[]) => sql`${sql.join(parts, sql` UNION ALL `)}`

  return {
    async revenueByHour(of, span) {
      // Of 6,000 documents PostgreSQL reads the total four times as fast as a text. Quotes in a text of the document have
      // a backslash, and only the document itself has a total.
      const total = sql.raw(
        isPostgres(db) ? `split_part(split_part(document, '"total":"', 2), '"', 1)` : `document ->> 'total'`,
      )
      // Not as whole numbers: the sum of some hundred absurd ones would be refused. Up to 2^53 it is exact.
      const cents = sql`CAST(replace(${total}, '.', '') AS DOUBLE PRECISION)`
      const hour = sql`occurred_at / ${sql.lit(HOUR_MS)}`
      const rows = await rowsOf<{ hour: number; sales: number; amount: number }>(sql`
        SELECT ${hour} AS hour, count(CASE WHEN ${cents} >= 0 THEN 1 END) AS sales, sum(${cents}) AS amount
        ${soldIn(of, span, 'sales')} GROUP BY ${hour}`)
      return rows.map(({ hour, sales, amount }) => ({ at: hour * HOUR_MS, sales, amount: BigInt(Math.round(amount)) }))
    },
    async unconfirmed(of, span) {
      const parts = STATUSES.map(
        (status) => sql`SELECT ${sql.lit(status)} AS status, count(*) AS count, min(occurred_at) AS oldest
          ${soldIn(of, span, 'unconfirmed')} AND ${isUnconfirmed(status)}`,
      )
      const rows = await rowsOf<{ status: UnconfirmedStatus; count: number; oldest: number }>(allOf(parts))
      return rows.filter(({ count }) => count > 0).map(({ oldest, ...row }) => ({ ...row, oldestAt: oldest }))
    },
    failedByCause(of, most) {
      return rowsOf(sql`
        SELECT error_code AS code, count(*) AS count FROM (
          SELECT error_code ${soldIn(of, {}, 'unconfirmed')} AND ${isUnconfirmed('failed')}
          ORDER BY occurred_at DESC, id DESC LIMIT ${sql.lit(most)}) AS latest
        GROUP BY error_code ORDER BY count(*) DESC, error_code`)
    },
  }
}

/** @param by the index that reads least: of all sales, or of those without a JIR */
function soldIn(of: SalesOf, { from, to }: Span, by: 'sales' | 'unconfirmed'): RawBuilder<unknown> {
  const bounds = [
    ...(from === undefined ? [] : [sql` AND occurred_at >= ${from}`]),
    ...(to === undefined ? [] : [sql` AND occurred_at < ${to}`]),
  ]
  return sql`FROM invoices WHERE ${salesOf(of, by)} ${sql.join(bounds, sql``)}`
}

/** The index of sales is by tenant or by company, that of sales without a JIR only by tenant. */
function salesOf({ tenantId, mode, companyIds }: SalesOf, by: 'sales' | 'unconfirmed'): RawBuilder<unknown> {
  if (companyIds === null) return sql`tenant_id = ${tenantId} AND mode = ${mode}`
  if (by === 'sales')
    return sql`tenant_id || '' = ${tenantId} AND mode = ${mode} AND ${ofCompanies('company_id', companyIds)}`
  return sql`tenant_id = ${tenantId} AND mode = ${mode} AND ${ofCompanies('company_id', companyIds, 'unindexed')}`
}

/** Written out, not bound: a partial index is used only where its very terms are seen. */
const isUnconfirmed = (status: UnconfirmedStatus) => sql`status = ${sql.lit(status)} AND status <> 'confirmed'`
