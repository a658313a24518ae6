import { type RawBuilder, sql } from 'kysely'
import { snakeCase } from '../../../domain/texts/snake-case.ts'
import { type MachineDevice, type MachineGateway, OF_DEVICE, OF_GATEWAY } from '../../../fiscal/ports/rows/machines.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { rawRows } from '../queries.ts'
import { parsedHeartbeat } from '../sync/heartbeats.ts'

const HOUR_MS = 3_600_000

/** A row of which one column is JSON. */
type Stored<Row, Json extends keyof Row> = Omit<Row, Json> &
  Record<Json, null extends Row[Json] ? string | null : string>

const named = (names: readonly string[]) => sql.raw(names.map((name) => `${snakeCase(name)} AS "${name}"`).join(', '))

export function machines(db: Db): StoreTransaction['machines'] {
  const rowsOf = <Row>(query: RawBuilder<Row>) => rawRows<Row>(db, query)
  return {
    async devices(tenantId, { limit, after }) {
      // The slice first: otherwise PostgreSQL may look for the latest sale of every device.
      const rows = await rowsOf(sql<Stored<MachineDevice, 'deviceConfig'> & { at: number; last: number | null }>`
        SELECT d.*, (SELECT max(i.occurred_at) FROM invoices i WHERE i.device_id = d.id AND i.mode = c.mode) AS last
        FROM (SELECT created_at AS at, ${named(OF_DEVICE)} FROM devices
          WHERE tenant_id = ${tenantId}
          ${after === undefined ? sql`` : sql`AND (created_at, id) > (${after.at}, ${after.id})`}
          ORDER BY created_at, id LIMIT ${sql.lit(limit)}) d
        JOIN companies c ON c.id = d."companyId" ORDER BY d.at, d.id`)
      return rows.map(({ at, last, deviceConfig, ...device }) => ({
        id: device.id,
        createdAt: at,
        device: { ...device, deviceConfig: JSON.parse(deviceConfig) },
        lastSaleAt: last,
      }))
    },
    async gateways(tenantId, { limit, after }) {
      const rows = await rowsOf(sql<Stored<MachineGateway, 'heartbeat'>>`SELECT ${named(OF_GATEWAY)} FROM gateways
        WHERE tenant_id = ${tenantId} ${after === undefined ? sql`` : sql`AND name > ${after}`}
        ORDER BY name LIMIT ${sql.lit(limit)}`)
      return rows.map((row) => ({ ...row, heartbeat: parsedHeartbeat(row.id, row.heartbeat) }))
    },
    async lastSales(deviceIds) {
      if (deviceIds.length === 0) return new Map()
      const rows = await rowsOf(sql<{ id: string; at: number | null }>`
        SELECT d.id, (SELECT max(occurred_at) FROM invoices WHERE device_id = d.id AND mode = c.mode) AS at
        FROM devices d JOIN companies c ON c.id = d.company_id
        WHERE d.id IN (${sql.join(deviceIds)})`)
      return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])))
    },
    async soldByHour(of) {
      if (of.length === 0) return []
      const wanted = of.map(({ deviceId, mode, from }) => sql`(${deviceId}, ${mode}, CAST(${from} AS bigint))`)
      // The devices first: each has its span of an index.
      return rowsOf(sql<{ deviceId: string; hour: number; sales: number }>`
        WITH wanted (device_id, mode, since) AS (VALUES ${sql.join(wanted)})
        SELECT w.device_id AS "deviceId", i.occurred_at / ${sql.lit(HOUR_MS)} AS hour, count(*) AS sales
        FROM wanted w CROSS JOIN invoices i
        WHERE i.device_id = w.device_id AND i.mode = w.mode AND i.occurred_at > w.since
        GROUP BY w.device_id, hour ORDER BY w.device_id, hour`)
    },
    async unconfirmed({ tenantId, mode, status }, { limit, after }) {
      // Written out, not bound: a partial index is used only where its very terms are seen.
      const rows = await rowsOf(sql<{ id: string; at: number; device: string }>`
        SELECT id, occurred_at AS at, device_id AS device FROM invoices
        WHERE tenant_id = ${tenantId} AND mode = ${mode} AND status = ${sql.lit(status)} AND status <> 'confirmed'
        ${after === undefined ? sql`` : sql`AND (occurred_at, id) > (${after.at}, ${after.id})`}
        ORDER BY occurred_at, id LIMIT ${sql.lit(limit)}`)
      return rows.map(({ id, at, device }) => ({ id, at, deviceId: device }))
    },
  }
}
