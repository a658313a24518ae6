import { type RawBuilder, sql } from 'kysely'
import type {
  TurnoverColumn,
  TurnoverFilter,
  TurnoverRows,
  TurnoverSpan,
  TurnoverSums,
} from '../../../fiscal/ports/rows/turnover.ts'
import type { Db } from '../../sqlite/connection.ts'

/** Columns of the device of a row; everything else is in the row. */
const OF_DEVICE: Partial<Record<TurnoverColumn, string>> = {
  companyId: 'devices.company_id',
  premisesCode: 'devices.premises_code',
}
const OWN: Partial<Record<TurnoverColumn, string>> = { deviceId: 'device_id', paymentMethod: 'payment_method' }

export function turnover(db: Db): TurnoverRows {
  return {
    async sums<Column extends TurnoverColumn>(filter: TurnoverFilter, by: readonly Column[]) {
      const { companyIds, premisesCode, spans } = filter
      if (spans.length === 0 || companyIds?.length === 0) return []
      const ofDevice = by.filter((column) => column in OF_DEVICE)
      const needsDevices = ofDevice.length > 0 || companyIds !== undefined || premisesCode !== undefined
      // By device first: then only as many rows are joined as there are devices.
      const inner = [
        ...new Set([...by.filter((column) => !(column in OF_DEVICE)), ...(needsDevices ? ['deviceId'] : [])]),
      ]
      const sums = sql.raw(['invoices', 'base', 'tax', 'amount'].map((name) => `sum(${name}) AS ${name}`).join(', '))
      const innerColumns = inner.map((column) => sql.raw(OWN[column as TurnoverColumn] ?? column))
      const grouped = innerColumns.length === 0 ? sql`` : sql` GROUP BY ${sql.join(innerColumns)}`
      const leading = innerColumns.length === 0 ? sql`` : sql`${sql.join(innerColumns)}, `
      const found = sql.join(
        spans.map((span) => sql`SELECT ${leading}${sums} FROM turnover WHERE ${matching(filter, span)}${grouped}`),
        sql` UNION ALL `,
      )
      const devices = needsDevices ? sql` JOIN devices ON devices.id = found.device_id${ofPlace(filter)}` : sql``
      const outer = by.map((column) => sql.raw(OF_DEVICE[column] ?? `found.${OWN[column] ?? column}`))
      const named = by.map((column, i) => sql`${outer[i]} AS ${sql.ref(column)}`)
      const { rows } = await sql<Record<string, string | number>>`
        SELECT ${named.length === 0 ? sql`` : sql`${sql.join(named)}, `}sum(found.invoices) AS invoices,
          ${sql.join(['base', 'tax', 'amount'].map((name) => sql`CAST(sum(${sql.ref(`found.${name}`)}) AS TEXT) AS ${sql.ref(name)}`))}
        FROM (${found}) AS found${devices}${outer.length === 0 ? sql`` : sql` GROUP BY ${sql.join(outer)}`}`.execute(db)
      return rows
        .filter(({ invoices }) => invoices !== null)
        .map(({ invoices, base, tax, amount, ...key }) => ({
          ...key,
          ...('refund' in key && { refund: Number(key.refund) === 1 }),
          invoices: Number(invoices),
          base: BigInt(base ?? 0),
          tax: BigInt(tax ?? 0),
          amount: BigInt(amount ?? 0),
        })) as TurnoverSums<Column>[]
    },
  }
}

/** In the order of the table's key. */
function matching({ tenantId, mode, kinds, deviceId }: TurnoverFilter, { unit, from, to }: TurnoverSpan) {
  const device = deviceId === undefined ? sql`` : sql` AND device_id = ${deviceId}`
  return sql`tenant_id = ${tenantId} AND mode = ${mode} AND unit = ${unit} AND kind IN (${sql.join(kinds)})
    AND starts >= ${from} AND starts < ${to}${device}`
}

function ofPlace({ companyIds, premisesCode }: TurnoverFilter): RawBuilder<unknown> {
  const company = companyIds === undefined ? sql`` : sql` AND devices.company_id IN (${sql.join(companyIds)})`
  return premisesCode === undefined ? company : sql`${company} AND devices.premises_code = ${premisesCode}`
}
