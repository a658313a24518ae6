import type { Selectable } from 'kysely'
import type { Device } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, insertUnique } from './connection.ts'
import type { Tables } from './tables.ts'

export function devices(db: Db): StoreTransaction['devices'] {
  const select = () => db.selectFrom('devices').selectAll()
  return {
    async insert(device) {
      const row = { ...device, deviceConfig: JSON.stringify(device.deviceConfig) }
      await insertUnique(db.insertInto('devices').values(row).execute())
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
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
    async update(id, changes) {
      const { deviceConfig, ...plain } = changes
      const row = { ...plain, ...(deviceConfig && { deviceConfig: JSON.stringify(deviceConfig) }) }
      if (Object.keys(row).length === 0) return
      await insertUnique(db.updateTable('devices').set(row).where('id', '=', id).execute())
    },
    async summary() {
      const row = await db
        .selectFrom('devices')
        .where('status', '=', 'active')
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

function toDevice(row: Selectable<Tables['devices']>): Device {
  return { ...row, deviceConfig: JSON.parse(row.deviceConfig) }
}
