import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { AlertState } from '../../domain/alert.ts'
import type { Alert } from '../../fiscal/ports/alerts.ts'
import { LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { beyond } from './list-slice.ts'
import type { Tables } from './tables.ts'

/** Written out, not bound: the partial index is used only where this very term is seen. */
export const GOES_ON = sql<boolean>`resolved_at IS NULL`

export function alerts(db: Db): StoreTransaction['alerts'] {
  const select = () => db.selectFrom('alerts').selectAll()
  return {
    async raise(alert) {
      const row = {
        ...alert,
        detail: JSON.stringify(alert.detail),
        gatewayId: LOCAL_GATEWAY,
        acknowledgedAt: null,
        acknowledgedBy: null,
        resolvedAt: null,
      }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('alerts')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async restate(id, detail) {
      await db
        .updateTable('alerts')
        .set({ detail: JSON.stringify(detail) })
        .where('id', '=', id)
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .where(GOES_ON)
        .execute()
    },
    async resolve(kind, subject, at) {
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ resolvedAt: at })
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where(GOES_ON)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async open(tenantId) {
      let query = select().where('gatewayId', '=', LOCAL_GATEWAY).where(GOES_ON)
      if (tenantId !== null) query = query.where('tenantId', '=', tenantId)
      return (await query.orderBy('raisedAt').orderBy('id').execute()).map(toAlert)
    },
    async goingOn(tenantId, kind) {
      const rows = select().where('tenantId', '=', tenantId).where('kind', '=', kind).where(GOES_ON)
      return (await rows.execute()).map(toAlert)
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toAlert(row)
    },
    async list({ tenantId, state, kind }, { limit, after }) {
      let query = select().where('tenantId', '=', tenantId).orderBy('raisedAt', 'desc').orderBy('id', 'desc')
      if (state !== undefined) query = inState(query, state)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      if (after) query = query.where(beyond('raisedAt', 'id', '<', after))
      return (await query.limit(limit).execute()).map(toAlert)
    },
    async standing(tenantId) {
      let query = db.selectFrom('alerts').select(['kind', 'detail']).where(GOES_ON).where('acknowledgedAt', 'is', null)
      if (tenantId !== null) query = query.where('tenantId', '=', tenantId)
      return (await query.execute()).map(({ kind, detail }) => ({ kind, detail: JSON.parse(detail) }))
    },
    async latest(tenantId, kind, subject) {
      const row = await select()
        .where('tenantId', '=', tenantId)
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .orderBy('raisedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toAlert(row)
    },
    async acknowledge(id, by, at) {
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ acknowledgedAt: at, acknowledgedBy: by })
        .where('id', '=', id)
        .where('acknowledgedAt', 'is', null)
        .where(GOES_ON)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

type Query<O> = SelectQueryBuilder<Tables, 'alerts', O>

function inState<O>(query: Query<O>, state: AlertState): Query<O> {
  if (state === 'resolved') return query.where('resolvedAt', 'is not', null)
  return query.where(GOES_ON).where('acknowledgedAt', state === 'open' ? 'is' : 'is not', null)
}

export function toAlert({ syncVersion: _version, ...row }: Selectable<Tables['alerts']>): Alert {
  return { ...row, detail: JSON.parse(row.detail) }
}
