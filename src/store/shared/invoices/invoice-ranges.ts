import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type {
  Direction,
  InvoiceRange,
  InvoiceRanges,
  RangeEnd,
  RangeMatch,
  RangePosition,
} from '../../../fiscal/ports/rows/invoice-ranges.ts'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres, ofCompanies } from '../queries.ts'

/** Sums are taken in two halves: many amounts of 15 digits together are more than either database can add up. */
const HALF = 1_000_000

export function invoiceRanges(db: Db): InvoiceRanges {
  const amount = amountOf(db)
  const payment = sql.raw(
    isPostgres(db) ? `(document::jsonb ->> 'paymentMethod')` : `json_extract(document, '$.paymentMethod')`,
  )

  /** What the entries of an index begin with. Terms are written as the index has them. */
  function beginning({ of: { tenantId, mode }, key }: InvoiceRange): RawBuilder<SqlBool>[] {
    const inMode = sql<SqlBool>`mode = ${mode}`
    const ofTenant = sql<SqlBool>`tenant_id = ${tenantId}`
    // Their owner is of one tenant; the concatenation keeps the database from the index of the tenant.
    const owned = sql<SqlBool>`tenant_id || '' = ${tenantId}`
    switch (key.by) {
      case 'status':
        return [ofTenant, inMode, sql`status <> 'confirmed'`, sql`status = ${key.value}`]
      case 'device':
        return [sql`device_id = ${key.value}`, inMode, owned]
      case 'premises':
        return [ofTenant, sql`premises_code = ${key.value}`, inMode]
      case 'company':
        return [sql`company_id = ${key.value}`, inMode, owned]
      case 'gateway':
        return [sql`gateway_id <> ''`, sql`gateway_id = ${key.value}`, inMode, owned]
      case 'amount':
        return [ofTenant, inMode, sql`${amount} = ${key.value}`]
      case 'all':
      case 'amounts':
        return [ofTenant, inMode]
    }
  }

  const isByAmount = ({ key }: InvoiceRange) => key.by === 'amounts'
  const columns = (range: InvoiceRange) => (isByAmount(range) ? sql`${amount}, occurred_at, id` : sql`occurred_at, id`)
  const values = (range: InvoiceRange, { amount: cents, at, id }: RangePosition) =>
    isByAmount(range) ? sql`${cents}, ${at}, ${id}` : sql`${at}, ${id}`

  function within(range: InvoiceRange): RawBuilder<SqlBool> {
    return sql.join(
      [
        ...beginning(range),
        // SQLite finds no position in an index by a row that begins with an expression; PostgreSQL needs neither.
        ...(isByAmount(range)
          ? [sql<SqlBool>`${amount} >= ${range.above.amount}`, sql<SqlBool>`${amount} <= ${range.below.amount}`]
          : []),
        sql`(${columns(range)}) ${isIncluded(range.above, '>')} (${values(range, range.above)})`,
        sql`(${columns(range)}) ${isIncluded(range.below, '<')} (${values(range, range.below)})`,
      ],
      sql` AND `,
    )
  }

  function inOrder(range: InvoiceRange, direction: Direction): RawBuilder<unknown> {
    const way = sql.raw(direction === 'ascending' ? 'ASC' : 'DESC')
    const by = [...(isByAmount(range) ? [amount] : []), sql`occurred_at`, sql`id`]
    return sql.join(by.map((column) => sql`${column} ${way}`))
  }

  /** Conditions for which no index is used. */
  function matching(match: RangeMatch): RawBuilder<SqlBool> {
    const equals = (column: string, value: string | undefined) =>
      value === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} || '' = ${value}`]
    const { companyIds, paymentMethod, amountFrom, amountTo, soldFrom, soldTo } = match
    const all = [
      ...equals('gateway_id', match.gatewayId),
      ...equals('device_id', match.deviceId),
      ...equals('premises_code', match.premisesCode),
      ...equals('status', match.status),
      ...equals('error_code', match.errorCode),
      ...(companyIds === undefined ? [] : [ofCompanies('company_id', companyIds, 'unindexed')]),
      ...(soldFrom === undefined ? [] : [sql<SqlBool>`occurred_at + 0 >= ${soldFrom}`]),
      ...(soldTo === undefined ? [] : [sql<SqlBool>`occurred_at + 0 < ${soldTo}`]),
      // Last, because the document has to be read for them.
      ...(paymentMethod === undefined ? [] : [sql<SqlBool>`${payment} = ${paymentMethod}`]),
      ...(amountFrom === undefined ? [] : [sql<SqlBool>`${amount} + 0 >= ${amountFrom}`]),
      ...(amountTo === undefined ? [] : [sql<SqlBool>`${amount} + 0 <= ${amountTo}`]),
    ]
    return all.length === 0 ? sql`1 = 1` : sql.join(all, sql` AND `)
  }

  async function positionsOf(range: InvoiceRange, which: RawBuilder<unknown>): Promise<RangePosition[]> {
    const query = sql<{ amount: string; at: number; id: string }>`
      SELECT ${isByAmount(range) ? sql`CAST(${amount} AS TEXT)` : sql`'0'`} AS amount, occurred_at AS at, id
      FROM invoices WHERE ${within(range)} AND ${which}`
    return (await query.execute(db)).rows.map((found) => ({ ...found, amount: BigInt(found.amount) }))
  }

  return {
    positions: (range, direction, match, limit) =>
      positionsOf(range, sql`${matching(match)} ORDER BY ${inOrder(range, direction)} LIMIT ${limit}`),
    async positionAfter(range, direction, count) {
      const [found] = await positionsOf(
        range,
        sql`1 = 1 ORDER BY ${inOrder(range, direction)} LIMIT 1 OFFSET ${count - 1}`,
      )
      return found
    },
    async tally(range, match) {
      const half = sql.lit(HALF)
      const query = sql<{ count: number; high: string | null; low: string | null }>`
        SELECT count(*) AS count, CAST(sum(${amount} / ${half}) AS TEXT) AS high,
          CAST(sum(${amount} % ${half}) AS TEXT) AS low
        FROM invoices WHERE ${within(range)} AND ${matching(match)}`
      const [found] = (await query.execute(db)).rows
      const cents = BigInt(found?.high ?? 0) * BigInt(HALF) + BigInt(found?.low ?? 0)
      return { count: Number(found?.count ?? 0), cents }
    },
  }
}

const isIncluded = ({ isIncluded }: RangeEnd, sign: '<' | '>') => sql.raw(isIncluded ? `${sign}=` : sign)

/** The total of an invoice in cents. The indexes by amount have these very words. */
const AMOUNT_OF_SQLITE = `CAST(replace(json_extract(document, '$.total'), '.', '') AS INTEGER)`
const AMOUNT_OF_POSTGRES = `(replace(document::jsonb ->> 'total', '.', '')::bigint)`

const amountOf = (db: Db): RawBuilder<bigint> => sql.raw(isPostgres(db) ? AMOUNT_OF_POSTGRES : AMOUNT_OF_SQLITE)
