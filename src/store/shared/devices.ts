import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { type Device, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew, refusingDuplicates } from '../sqlite/connection.ts'
import { beyond } from './list-slice.ts'
import { ofCompanies } from './of-companies.ts'
import type { Tables } from './tables.ts'
import { writtenOnce, writtenOncePerColumns } from './written-once.ts'

export const deviceById = writtenOnce((db, id: string) => db.selectFrom('devices').selectAll().where('id', '=', id))

export const changeDevice = writtenOncePerColumns((db, changes: Updateable<Tables['devices']>, id: string) =>
  db.updateTable('devices').set(changes).where('id', '=', id),
)

export function devices(db: Db): StoreTransaction['devices'] {
  const select = () => db.selectFrom('devices').selectAll()
  return {
    async insert(device) {
      await insertNew(db.insertInto('devices').values(deviceRow(device)))
    },
    async get(id) {
      const [row] = (await deviceById(db, id)).rows
      return row && toDevice(row)
    },
    async named(tenantId, labelOrId) {
      const rows = await select()
        .where('tenantId', '=', tenantId)
        .where((eb) => eb.or([eb('id', '=', labelOrId), eb('label', '=', labelOrId)]))
        .orderBy('createdAt')
        .execute()
      return rows.map(toDevice)
    },
    async labelled(companyId, label) {
      const query = select()
        .where('companyId', '=', companyId)
        .where('label', '=', label)
        .where('gatewayId', '=', LOCAL_GATEWAY)
      const row = await query.executeTakeFirst()
      return row && toDevice(row)
    },
    async withIsuNumber(isuNumber) {
      const row = await select()
        .where('isuNumber', '=', isuNumber)
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .executeTakeFirst()
      return row && toDevice(row)
    },
    async list({ tenantId, mode, companyIds, id, companyId, premisesCode, ...filter }, slice) {
      const { isuStatus, status, ours, gatewayId, text } = filter
      let query = select().orderBy('createdAt').orderBy('id').limit(slice.limit)
      if (tenantId !== null) query = query.where('tenantId', '=', tenantId)
      if (mode !== null) {
        query = query.where('companyId', 'in', (eb) => eb.selectFrom('companies').select('id').where('mode', '=', mode))
      }
      if (companyIds !== null) query = query.where(ofCompanies('companyId', companyIds))
      if (ours) query = query.where('gatewayId', '=', LOCAL_GATEWAY)
      if (gatewayId !== undefined) query = query.where('gatewayId', '=', gatewayId)
      if (id !== undefined) query = query.where('id', '=', id)
      if (companyId !== undefined) query = query.where('companyId', '=', companyId)
      if (premisesCode !== undefined) query = query.where('premisesCode', '=', premisesCode)
      if (isuStatus !== undefined) query = query.where('isuStatus', '=', isuStatus)
      if (status !== undefined) query = query.where('status', '=', status)
      if (text !== undefined) query = query.where(speaksOf(text))
      if (slice.after) query = query.where(beyond('createdAt', 'id', '>', slice.after))
      return (await query.execute()).map(toDevice)
    },
    async counts(companyId) {
      const alike = ['gatewayId', 'status', 'isuStatus'] as const
      const counted = db.selectFrom('devices').where('companyId', '=', companyId).groupBy(alike).select(alike)
      const rows = await counted.select((eb) => eb.fn.countAll<number>().as('count')).execute()
      return rows.map((row) => ({ ...row, count: Number(row.count) }))
    },
    async update(id, changes) {
      const { deviceConfig, ...plain } = changes
      const row = { ...plain, ...(deviceConfig && { deviceConfig: JSON.stringify(deviceConfig) }) }
      if (Object.keys(row).length === 0) return
      const update = () => changeDevice(db, row, id)
      const mayBeTaken = changes.label !== undefined || changes.isuNumber !== undefined
      await (mayBeTaken ? refusingDuplicates(db, update) : update())
    },
    async seen(id, at) {
      const own = db.updateTable('devices').where('id', '=', id).where('gatewayId', '=', LOCAL_GATEWAY)
      await own.set({ lastSeenAt: at }).execute()
    },
    async summary() {
      const row = await db
        .selectFrom('devices')
        .where('status', '=', 'active')
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .select((eb) => [
          eb.fn.countAll<number>().as('total'),
          eb.fn.count<number>('isuNumber').as('withIsu'),
          eb.fn.max('lastSuccessAt').as('lastSuccessAt'),
        ])
        .executeTakeFirstOrThrow()
      return { total: row.total, withoutIsu: row.total - row.withIsu, lastSuccessAt: row.lastSuccessAt }
    },
  }
}

/** Searches without an index, since a fleet is small. Letters beyond ASCII are case-sensitive. */
function speaksOf(text: string) {
  // SQLite ends a text at NUL; no label contains one.
  if (text.includes('\0')) return sql<SqlBool>`1 = 0`
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(lower(label) LIKE lower(${part}) ESCAPE '\\' OR lower(premises_address) LIKE lower(${part}) ESCAPE '\\'
    OR premises_code = ${text} OR isu_number = ${text})`
}

export function deviceRow<D extends Pick<Device, 'deviceConfig'>>({ deviceConfig, ...plain }: D) {
  return { ...plain, deviceConfig: JSON.stringify(deviceConfig) }
}

export function toDevice(row: Selectable<Tables['devices']>): Device {
  const { syncVersion: _version, ...device } = row
  return { ...device, deviceConfig: JSON.parse(row.deviceConfig) }
}
