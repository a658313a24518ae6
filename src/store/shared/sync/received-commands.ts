import type { Selectable } from 'kysely'
import type { ReceivedCommand } from '../../../fiscal/ports/gateway-commands.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import type { Tables } from '../tables.ts'

export function receivedCommands(db: Db): StoreTransaction['receivedCommands'] {
  const select = () => db.selectFrom('receivedCommands').selectAll()
  return {
    async insert(command) {
      await db
        .insertInto('receivedCommands')
        .values({ ...command, result: command.result === null ? null : JSON.stringify(command.result) })
        .execute()
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toReceived(row)
    },
    async end(id, { status, result }) {
      const { numUpdatedRows } = await db
        .updateTable('receivedCommands')
        .set({ status, result: JSON.stringify(result) })
        .where('id', '=', id)
        .where('status', '=', 'begun')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async begun() {
      return (await select().where('status', '=', 'begun').orderBy('number').execute()).map(toReceived)
    },
    async untold(limit) {
      const rows = await select()
        .where('toldAt', 'is', null)
        .where('status', '<>', 'begun')
        .orderBy('number')
        .limit(limit)
        .execute()
      return rows.map(toReceived)
    },
    async told(id, at) {
      await db.updateTable('receivedCommands').set({ toldAt: at }).where('id', '=', id).execute()
    },
    async tellAgain(id) {
      await db
        .updateTable('receivedCommands')
        .set({ toldAt: null })
        .where('id', '=', id)
        .where('status', '<>', 'begun')
        .execute()
    },
    async forget(before, keep) {
      await db
        .deleteFrom('receivedCommands')
        .where('toldAt', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('receivedAt', '<', before),
            // A server that sends invalid commands must not fill the disk.
            eb.and([
              eb('status', '=', 'refused'),
              eb(
                'id',
                'not in',
                eb
                  .selectFrom('receivedCommands')
                  .select('id')
                  .where('status', '=', 'refused')
                  .orderBy('receivedAt', 'desc')
                  .orderBy('id', 'desc')
                  .limit(keep),
              ),
            ]),
          ]),
        )
        .execute()
    },
    async list(limit) {
      return (await select().orderBy('receivedAt', 'desc').orderBy('number', 'desc').limit(limit).execute()).map(
        toReceived,
      )
    },
  }
}

function toReceived(row: Selectable<Tables['receivedCommands']>): ReceivedCommand {
  return { ...row, result: row.result === null ? null : JSON.parse(row.result) }
}
