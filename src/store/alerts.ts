import { type Selectable, sql } from 'kysely'
import { OURS } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Alert } from '../fiscal/sync-port.ts'
import type { Db } from './connection.ts'
import type { Tables } from './tables.ts'

/** Written out, not bound: the partial index is used only where this very term is seen. */
const IS_OPEN = sql<boolean>`resolved_at IS NULL`

export function alerts(db: Db): StoreTransaction['alerts'] {
  return {
    async raise(alert) {
      const row = {
        ...alert,
        ...{ detail: JSON.stringify(alert.detail), gatewayId: OURS },
        ...{ acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null },
      }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('alerts')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async resolve(kind, subject, at) {
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ resolvedAt: at })
        .where('gatewayId', '=', OURS)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where(IS_OPEN)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async open(tenantId) {
      let query = db.selectFrom('alerts').selectAll().where('gatewayId', '=', OURS).where(IS_OPEN)
      if (tenantId !== null) query = query.where('tenantId', '=', tenantId)
      return (await query.orderBy('raisedAt').orderBy('id').execute()).map(toAlert)
    },
  }
}

export function toAlert({ syncVersion: _version, ...row }: Selectable<Tables['alerts']>): Alert {
  return { ...row, detail: JSON.parse(row.detail) }
}
