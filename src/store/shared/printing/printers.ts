import type { Selectable } from 'kysely'
import type { DevicePrinter } from '../../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import type { Tables } from '../tables.ts'
import { writtenOnce } from '../written-once.ts'

export const printerOfDevice = writtenOnce((db, deviceId: string) =>
  db.selectFrom('printers').selectAll().where('deviceId', '=', deviceId),
)

export function printers(db: Db): StoreTransaction['printers'] {
  const select = () => db.selectFrom('printers').selectAll()
  return {
    async get(deviceId) {
      const [row] = (await printerOfDevice(db, deviceId)).rows
      return row && toPrinter(row)
    },
    async all() {
      return (await select().orderBy('deviceId').execute()).map(toPrinter)
    },
    async put({ deviceId, ...printer }) {
      const set = { ...printer, overrides: JSON.stringify(printer.overrides) }
      await db
        .insertInto('printers')
        .values({ deviceId, ...set })
        .onConflict((conflict) => conflict.column('deviceId').doUpdateSet(set))
        .execute()
    },
    async remove(deviceId) {
      await db.deleteFrom('printers').where('deviceId', '=', deviceId).execute()
    },
  }
}

export function toPrinter(row: Selectable<Tables['printers']>): DevicePrinter {
  return { ...row, overrides: JSON.parse(row.overrides) }
}
