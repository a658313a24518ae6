import { sql } from 'kysely'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'

export function machines(db: Db): StoreTransaction['machines'] {
  /** Keeps column names unchanged: there are thousands of rows, and converting them costs more than reading them. */
  const plain = () => db.withoutPlugins()
  return {
    async lastSales(deviceIds) {
      if (deviceIds.length === 0) return new Map()
      const { rows } = await sql<{ id: string; at: number | null }>`
        SELECT d.id, (SELECT max(occurred_at) FROM invoices WHERE device_id = d.id AND mode = c.mode) AS at
        FROM devices d JOIN companies c ON c.id = d.company_id
        WHERE d.id IN (${sql.join(deviceIds)})`.execute(plain())
      return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])))
    },
    async unconfirmed({ tenantId, mode, status }, { limit, after }) {
      // Written out, not bound: a partial index is used only where its very terms are seen.
      const { rows } = await sql<{ id: string; at: number; device: string }>`
        SELECT id, occurred_at AS at, device_id AS device FROM invoices
        WHERE tenant_id = ${tenantId} AND mode = ${mode} AND status = ${sql.lit(status)} AND status <> 'confirmed'
        ${after === undefined ? sql`` : sql`AND (occurred_at, id) > (${after.at}, ${after.id})`}
        ORDER BY occurred_at, id LIMIT ${sql.lit(limit)}`.execute(plain())
      return rows.map(({ id, at, device }) => ({ id, at, deviceId: device }))
    },
  }
}
