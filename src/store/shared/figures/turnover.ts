import { type RawBuilder, sql } from 'kysely'
import type {
  TurnoverColumn,
  TurnoverFilter,
  TurnoverKind,
  TurnoverRows,
  TurnoverSpan,
  TurnoverSums,
} from '../../../fiscal/ports/rows/turnover.ts'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres } from '../dialects.ts'
import { TURNOVER_OF_POSTGRES, TURNOVER_OF_SQLITE } from './turnover-dialects.ts'
import { firstMoment, soldBy } from './turnover-statements.ts'
import { isUnconfirmed, WITHOUT_JIR } from './unconfirmed.ts'

/** Columns of the device of a row; everything else is in the row. */
const OF_DEVICE: Partial<Record<TurnoverColumn, string>> = {
  companyId: 'devices.company_id',
  premisesCode: 'devices.premises_code',
}
const OWN: Partial<Record<TurnoverColumn, string>> = { deviceId: 'device_id', paymentMethod: 'payment_method' }

const IN_ORDER_OF_KEY = [
  ...(['kind', 'starts', 'deviceId', 'paymentMethod', 'refund', 'rate', 'name'] as const satisfies TurnoverColumn[]),
]
const SUMS = ['invoices', 'base', 'tax', 'amount'] as const

/** Where sums come from. All sales are kept; those without a JIR are added up, and told apart from the others. */
interface Source {
  table: 'turnover' | 'lacking'
  sign: '' | '-'
  /** 1 with a JIR, 0 without. */
  confirmed: 0 | 1
}
const ALL: Source[] = [{ table: 'turnover', sign: '', confirmed: 1 }]
const APART: Source[] = [
  ...ALL,
  { table: 'lacking', sign: '-', confirmed: 1 },
  { table: 'lacking', sign: '', confirmed: 0 },
]

export function turnover(db: Db): TurnoverRows {
  return {
    async sums<Column extends TurnoverColumn>(filter: TurnoverFilter, by: readonly Column[]) {
      const { companyIds, premisesCode, spans, kinds } = filter
      if (spans.length === 0 || companyIds?.length === 0) return []
      const ofDevice = by.filter((column) => column in OF_DEVICE)
      const needsDevices = ofDevice.length > 0 || companyIds !== undefined || premisesCode !== undefined
      // By device first: then only as many rows are joined as there are devices.
      const columns = IN_ORDER_OF_KEY.filter(
        (column) => by.includes(column as Column) || (needsDevices && column === 'deviceId'),
      ).map((column) => sql.raw(OWN[column] ?? column))
      const apart = (by as readonly TurnoverColumn[]).includes('confirmed')
      // One kind after the other: in the order of the key the rows need no sorting.
      const found = spans.flatMap((span) =>
        (apart ? APART : ALL).flatMap(({ table, sign, confirmed }) => {
          const sums = SUMS.map((name) => sql.raw(`${sign}sum(${name}) AS ${name}`))
          const read = list([...columns, sql.raw(`${confirmed} AS confirmed`), ...sums])
          return (table === 'turnover' ? kinds.map((kind) => [kind]) : [kinds]).map(
            (some) =>
              sql`SELECT ${read} FROM ${sql.raw(table)} WHERE ${matching(filter, span, some)}${groupedBy(columns)}`,
          )
        }),
      )
      const devices = needsDevices ? sql` JOIN devices ON devices.id = found.device_id${ofPlace(filter)}` : sql``
      const outer = by.map((column) => sql.raw(OF_DEVICE[column] ?? `found.${OWN[column] ?? column}`))
      const named = by.map((column, i) => sql`${outer[i]} AS ${sql.ref(column)}`)
      // Where there is one part, it has each combination once.
      const isSummed = found.length > 1 || needsDevices
      // With the names of their columns as they are: there are thousands of rows.
      const { rows } = await sql<Record<string, string | number | null>>`${apart ? lacking(db, filter) : sql``}
        SELECT ${list([...named, ...SUMS.map((name) => asText(isSummed ? `sum(found.${name})` : `found.${name}`, name))])}
        FROM (${sql.join(found, sql` UNION ALL `)}) AS found${devices}
        ${isSummed ? sql`${groupedBy(outer)} HAVING sum(found.invoices)` : sql`WHERE found.invoices`} <> 0`.execute(
        db.withoutPlugins(),
      )
      return rows.map(({ invoices, base, tax, amount, ...key }) => ({
        ...key,
        ...('refund' in key && { refund: Number(key.refund) === 1 }),
        ...('confirmed' in key && { confirmed: Number(key.confirmed) === 1 }),
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
const list = (columns: readonly RawBuilder<unknown>[]) => sql.join(columns)
const groupedBy = (columns: readonly RawBuilder<unknown>[]) =>
  columns.length === 0 ? sql`` : sql` GROUP BY ${list(columns)}`

/** The table `lacking`: what invoices without a JIR add to `turnover`, in one statement with what is read from there. */
function lacking(db: Db, { tenantId, mode, spans }: TurnoverFilter): RawBuilder<unknown> {
  const starts = spans.map(({ from }) => from).sort()
  const ends = spans.map(({ to }) => to).sort()
  const [from, to] = [firstMoment(starts[0] as string), firstMoment(ends.at(-1) as string)]
  const found = WITHOUT_JIR.map(
    (status) => sql`SELECT * FROM invoices WHERE tenant_id = ${tenantId} AND mode = ${mode} AND ${isUnconfirmed(status)}
      AND occurred_at >= ${from} AND occurred_at < ${to}`,
  )
  const sold = sql.raw(soldBy(isPostgres(db) ? TURNOVER_OF_POSTGRES : TURNOVER_OF_SQLITE, 'unconfirmed'))
  return sql`WITH unconfirmed AS (${sql.join(found, sql` UNION ALL `)}), lacking AS MATERIALIZED (${sold})`
}

/** In the order of the table's key. */
function matching(
  { tenantId, mode, deviceId }: TurnoverFilter,
  { unit, from, to }: TurnoverSpan,
  kinds: readonly TurnoverKind[],
) {
  const device = deviceId === undefined ? sql`` : sql` AND device_id = ${deviceId}`
  return sql`tenant_id = ${tenantId} AND mode = ${mode} AND unit = ${unit} AND kind IN (${sql.join(kinds)})
    AND starts >= ${from} AND starts < ${to}${device}`
}

function ofPlace({ companyIds, premisesCode }: TurnoverFilter): RawBuilder<unknown> {
  const company = companyIds === undefined ? sql`` : sql` AND devices.company_id IN (${sql.join(companyIds)})`
  return premisesCode === undefined ? company : sql`${company} AND devices.premises_code = ${premisesCode}`
}
