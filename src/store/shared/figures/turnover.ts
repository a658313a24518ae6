import { type RawBuilder, sql } from 'kysely'
import { periodAfter } from '../../../domain/sale/closing-period.ts'
import type {
  TurnoverColumn,
  TurnoverFilter,
  TurnoverKind,
  TurnoverRows,
  TurnoverSpan,
  TurnoverSums,
} from '../../../fiscal/ports/rows/turnover.ts'
import type { Db } from '../../sqlite/connection.ts'

/** In the order of the table's key, so that the rows need no sorting. */
const COLUMNS: Record<TurnoverColumn, string> = {
  kind: 'kind',
  starts: 'starts',
  companyId: 'company_id',
  premisesCode: 'premises_code',
  deviceId: 'device_id',
  paymentMethod: 'payment_method',
  refund: 'refund',
  rate: 'rate',
  name: 'name',
}
const IN_ORDER = Object.keys(COLUMNS) as TurnoverColumn[]
const SUMS = ['invoices', 'base', 'tax', 'amount'] as const

export function turnover(db: Db): TurnoverRows {
  return {
    async sums<Column extends TurnoverColumn>(filter: TurnoverFilter, by: readonly Column[]) {
      const { companyIds, deviceIds, spans, kinds } = filter
      if (spans.length === 0 || companyIds?.length === 0 || deviceIds?.length === 0) return []
      const wanted = IN_ORDER.filter((column) => by.includes(column as Column))
      const named = wanted.map((column) => sql.ref(column))
      const keys = wanted.map((column) => sql.raw(COLUMNS[column]))
      const read = sql.join([
        ...keys.map((column, i) => sql`${column} AS ${named[i]}`),
        ...SUMS.map((name) => sql.raw(`sum(${name}) AS ${name}`)),
      ])
      // One kind after the other, as the key has them.
      const found = spans.flatMap((span) =>
        kinds.map((kind) => sql`SELECT ${read} FROM turnover WHERE ${matching(filter, span, kind)}${groupedBy(keys)}`),
      )
      // Where there is one part, it has each combination once.
      const isSummed = found.length > 1
      const sums = SUMS.map((name) => asText(isSummed ? `sum(found.${name})` : `found.${name}`, name))
      // With the names of their columns as they are: there are thousands of rows.
      const { rows } = await sql<Record<string, string | number | null>>`
        SELECT ${sql.join([...named, ...sums])} FROM (${sql.join(found, sql` UNION ALL `)}) AS found
        ${isSummed ? sql`${groupedBy(named)} HAVING sum(found.invoices)` : sql`WHERE found.invoices`} <> 0`.execute(
        db.withoutPlugins(),
      )
      return rows.map(({ invoices, base, tax, amount, ...key }) => ({
        ...key,
        ...('refund' in key && { refund: Number(key.refund) === 1 }),
        invoices: Number(invoices),
        base: BigInt(base ?? 0),
        tax: BigInt(tax ?? 0),
        amount: BigInt(amount ?? 0),
      })) as TurnoverSums<Column>[]
    },
    async firstDay({ tenantId, mode, from }) {
      const { rows } = await sql<{ day: string | null }>`SELECT min(starts) AS day FROM turnover
        WHERE tenant_id = ${tenantId} AND mode = ${mode} AND unit = 'day' AND kind = 'total' AND starts >= ${from}`.execute(
        db,
      )
      return rows[0]?.day ?? null
    },
  }
}

const asText = (sum: string, name: string) => sql.raw(`CAST(${sum} AS TEXT) AS ${name}`)
const groupedBy = (columns: readonly RawBuilder<unknown>[]) =>
  columns.length === 0 ? sql`` : sql` GROUP BY ${sql.join(columns)}`

function matching(
  { tenantId, mode, companyIds, premisesCode, deviceIds }: TurnoverFilter,
  { unit, from, to }: TurnoverSpan,
  kind: TurnoverKind,
) {
  const conditions = [
    // The rows of a device lie together in an index that does not begin with the tenant.
    deviceIds ? sql`tenant_id || '' = ${tenantId}` : sql`tenant_id = ${tenantId}`,
    sql`mode = ${mode}`,
    sql`unit = ${unit}`,
    sql`kind = ${kind}`,
    // Of one period the rows lie in the order of what follows in the key.
    periodAfter({ unit, starts: from }).starts === to
      ? sql`starts = ${from}`
      : sql`starts >= ${from} AND starts < ${to}`,
    ...(companyIds ? [sql`company_id IN (${sql.join(companyIds)})`] : []),
    ...(premisesCode === undefined ? [] : [sql`premises_code = ${premisesCode}`]),
    ...(deviceIds ? [sql`device_id IN (${sql.join(deviceIds)})`] : []),
  ]
  return sql.join(conditions, sql` AND `)
}
