import { type SelectQueryBuilder, sql } from 'kysely'
import type { AlertState } from '../../domain/alert.ts'
import { companyIdWithin } from '../../domain/company-id.ts'
import type { Alert } from '../../fiscal/ports/alerts.ts'
import { type JsonObject, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, unlessThere } from '../sqlite/connection.ts'
import { change, changesOne, columnsOf, having, matching, ofCompanies, sliceBy } from './queries.ts'
import type { Tables } from './tables.ts'

export const { toColumns: alertRow, toModel: toAlert } = columnsOf<Alert>()({ json: ['detail'] })

/** Written out, not bound: the partial index is used only where this very term is seen. */
export const GOES_ON = sql<boolean>`resolved_at IS NULL`

export function alerts(db: Db): StoreTransaction['alerts'] {
  const select = () => db.selectFrom('alerts').selectAll()
  /** Own ones that are not resolved. */
  const own = () => db.updateTable('alerts').where('gatewayId', '=', LOCAL_GATEWAY).where(GOES_ON)
  return {
    async raise(alert) {
      const row = {
        ...alertRow(alert),
        companyId: companyOf(alert.tenantId, alert.detail),
        gatewayId: LOCAL_GATEWAY,
        acknowledgedAt: null,
        acknowledgedBy: null,
        resolvedAt: null,
      }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('alerts')
        .values(row)
        .onConflict(unlessThere)
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async restate(id, detail) {
      const alert = await select().where('id', '=', id).executeTakeFirst()
      await own()
        .set({ detail: JSON.stringify(detail), companyId: companyOf(alert?.tenantId ?? '', detail) })
        .where('id', '=', id)
        .execute()
    },
    resolve: (kind, subject, at) => own().set({ resolvedAt: at }).where(matching({ kind, subject })).$call(changesOne),
    async open(tenantId) {
      const query = having(select(), { gatewayId: LOCAL_GATEWAY, tenantId }).where(GOES_ON)
      return (await query.orderBy('raisedAt').orderBy('id').execute()).map(toAlert)
    },
    async goingOn(tenantId, kind) {
      return (await select().where(matching({ tenantId, kind })).where(GOES_ON).execute()).map(toAlert)
    },
    get: async (id) => toAlert(await select().where('id', '=', id).executeTakeFirst()),
    async list({ tenantId, companyIds, state, kind, about }, slice) {
      const all = having(sliceBy(select(), 'raisedAt', 'desc', slice), { tenantId, kind })
      let query = all.where(ofCompanies('companyId', companyIds))
      if (state !== undefined) query = inState(query, state)
      if (about !== undefined) query = query.where('detail', 'like', `%"${about}"%`)
      return (await query.execute()).map(toAlert)
    },
    async standing({ tenantId, companyIds }) {
      const open = having(db.selectFrom('alerts').select(['kind', 'detail']), { tenantId }).where(GOES_ON)
      const query = open.where('acknowledgedAt', 'is', null).where(ofCompanies('companyId', companyIds))
      return (await query.execute()).map(({ kind, detail }) => ({ kind, detail: JSON.parse(detail) }))
    },
    async latest(tenantId, kind, subject) {
      const alike = select().where(matching({ tenantId, gatewayId: LOCAL_GATEWAY, kind, subject }))
      return toAlert(await sliceBy(alike, 'raisedAt', 'desc', { limit: 1 }).executeTakeFirst())
    },
    acknowledge: (id, acknowledgedBy, acknowledgedAt) =>
      change(db, 'alerts', { id, acknowledgedAt: null, resolvedAt: null }, { acknowledgedAt, acknowledgedBy }),
  }
}

/**
 * The company of the tenant that the detail of an alert names, itself or by a device; null when there is none. Between
 * gateways and their server a company has the id that follows from its OIB.
 */
export function companyOf(tenantId: string, { company_id, device_id }: JsonObject) {
  const companyIds = typeof company_id === 'string' ? [company_id, companyIdWithin(tenantId, company_id)] : ['']
  return sql<string | null>`coalesce(
    (SELECT id FROM companies WHERE id IN (${sql.join(companyIds)}) AND tenant_id = ${tenantId} LIMIT 1),
    (SELECT company_id FROM devices WHERE id = ${typeof device_id === 'string' ? device_id : ''} AND tenant_id = ${tenantId}))`
}

type Query<O> = SelectQueryBuilder<Tables, 'alerts', O>

function inState<O>(query: Query<O>, state: AlertState): Query<O> {
  if (state === 'resolved') return query.where('resolvedAt', 'is not', null)
  return query.where(GOES_ON).where('acknowledgedAt', state === 'open' ? 'is' : 'is not', null)
}
