import { type SqlBool, sql } from 'kysely'
import type { ClosingPeriod } from '../../../domain/sale/closing-period.ts'
import type { Journal } from '../../../fiscal/ports/model.ts'
import type { ClosingRows, ClosingsOf } from '../../../fiscal/ports/rows/closings.ts'
import { Duplicate, type StoreTransaction } from '../../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../../sqlite/connection.ts'
import { change, having, matching, ofCompanies, run, sliceBy } from '../queries.ts'

const OUTLINE = [
  ...(['id', 'tenantId', 'companyId', 'mode', 'premisesCode', 'unit', 'starts', 'number'] as const),
  ...(['closedAt', 'closedBy', 'invoices', 'document'] as const),
] as const

export function closings(db: Db): ClosingRows {
  const ofPremises = ({ companyId, mode, premisesCode }: Journal, { unit, starts }: ClosingPeriod) =>
    db
      .selectFrom('closings')
      .where(matching({ mode, unit, starts, companyId, premisesCode }))
      // Its company belongs to one tenant; the index begins with it.
      .where('tenantId', '=', (eb) => eb.selectFrom('companies').select('tenantId').where('id', '=', companyId))

  const within = ({ tenantId, mode, unit, starts, companyIds, premisesCode }: ClosingsOf) => {
    const query = having(db.selectFrom('closings'), { tenantId, mode, unit, starts, premisesCode })
    return query.where(ofCompanies('companyId', companyIds ?? null))
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
    latestOf: ({ companyId, mode, premisesCode }) =>
      db
        .selectFrom('closings')
        .where(matching({ mode, companyId, premisesCode }))
        .where('tenantId', '=', (eb) => eb.selectFrom('companies').select('tenantId').where('id', '=', companyId))
        .select((eb) => ['unit', eb.fn.max('starts').as('starts')])
        .groupBy('unit')
        .execute(),
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
    latest: (limit, after) =>
      sliceBy(db.selectFrom('closings').selectAll(), 'closedAt', 'desc', { limit, after }).execute(),
    devicesOf: ({ companyId, premisesCode }) =>
      db
        .selectFrom('devices')
        .select(['id', 'gatewayId'])
        .where(matching({ companyId, premisesCode }))
        .orderBy('id')
        .execute(),
  }
}

export function closingSchedules(db: Db): StoreTransaction['closingSchedules'] {
  const all = () => db.selectFrom('closingSchedules').selectAll()
  return {
    insert: (schedule) => db.insertInto('closingSchedules').values(schedule).$call(run),
    get: (id) => all().where('id', '=', id).executeTakeFirst(),
    list: (tenantId) => having(all(), { tenantId }).orderBy('recipient').orderBy('id').execute(),
    update: (id, changes) => db.updateTable('closingSchedules').set(changes).where('id', '=', id).$call(run),
    updateUnlessSaved: ({ id, savedAt }, changes) => change(db, 'closingSchedules', { id, savedAt }, changes),
    remove: (id) => db.deleteFrom('closingSchedules').where('id', '=', id).$call(run),
  }
}
