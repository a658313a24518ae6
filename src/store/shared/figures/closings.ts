import { type SqlBool, sql } from 'kysely'
import type { ClosingPeriod } from '../../../domain/sale/closing-period.ts'
import type { Journal } from '../../../fiscal/ports/model.ts'
import type { ClosingRows, ClosingsOf } from '../../../fiscal/ports/rows/closings.ts'
import { Duplicate } from '../../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../../sqlite/connection.ts'
import { beyond } from '../list-slice.ts'

const OUTLINE = [
  ...(['id', 'tenantId', 'companyId', 'mode', 'premisesCode', 'unit', 'starts', 'number'] as const),
  ...(['closedAt', 'closedBy', 'invoices', 'document'] as const),
] as const

export function closings(db: Db): ClosingRows {
  const ofPremises = ({ companyId, mode, premisesCode }: Journal, { unit, starts }: ClosingPeriod) =>
    db
      .selectFrom('closings')
      .where('mode', '=', mode)
      .where('unit', '=', unit)
      .where('starts', '=', starts)
      .where('companyId', '=', companyId)
      .where('premisesCode', '=', premisesCode)
      // Its company belongs to one tenant; the index begins with it.
      .where('tenantId', '=', (eb) => eb.selectFrom('companies').select('tenantId').where('id', '=', companyId))

  const within = ({ tenantId, mode, unit, starts, companyIds, premisesCode }: ClosingsOf) => {
    let query = db
      .selectFrom('closings')
      .where('tenantId', '=', tenantId)
      .where('mode', '=', mode)
      .where('unit', '=', unit)
      .where('starts', '=', starts)
    // PostgreSQL takes no empty list.
    if (companyIds) query = query.where('companyId', 'in', companyIds.length > 0 ? companyIds : ['-'])
    if (premisesCode !== undefined) query = query.where('premisesCode', '=', premisesCode)
    return query
  }

  return {
    async insert(closing) {
      // Of a taken key SQLite's trigger would say that a closing is not changed.
      const taken = await ofPremises(closing, closing).select('id').where('number', '=', closing.number).execute()
      if (taken.length > 0) throw new Duplicate()
      await insertNew(db.insertInto('closings').values(closing))
    },
    get: (id) => db.selectFrom('closings').selectAll().where('id', '=', id).executeTakeFirst(),
    ofPremises: (journal, period) => ofPremises(journal, period).selectAll().orderBy('number').execute(),
    list(of, { limit, after }) {
      let query = within(of).select(OUTLINE)
      if (after) {
        query = query.where(
          sql<SqlBool>`(company_id, premises_code, number)
            > (${after.companyId}, ${after.premisesCode}, CAST(${after.number} AS INTEGER))`,
        )
      }
      return query.orderBy('companyId').orderBy('premisesCode').orderBy('number').limit(limit).execute()
    },
    held: (of) =>
      within(of)
        .select((eb) => [
          'companyId',
          'premisesCode',
          sql<number>`CAST(sum(${eb.ref('invoices')}) AS INTEGER)`.as('invoices'),
        ])
        .groupBy(['companyId', 'premisesCode'])
        .execute(),
    latest(limit, after) {
      let query = db.selectFrom('closings').selectAll()
      if (after) query = query.where(beyond('closedAt', 'id', '<', after))
      return query.orderBy('closedAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },
    devicesOf: ({ companyId, premisesCode }) =>
      db
        .selectFrom('devices')
        .select(['id', 'gatewayId'])
        .where('companyId', '=', companyId)
        .where('premisesCode', '=', premisesCode)
        .orderBy('id')
        .execute(),
  }
}
