import type { ReceivedCommand } from '../../../fiscal/ports/gateway-commands.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { change, columnsOf, run } from '../queries.ts'

const { toColumns, toModel } = columnsOf<ReceivedCommand>()({ json: ['result'] })

export function receivedCommands(db: Db): StoreTransaction['receivedCommands'] {
  const select = () => db.selectFrom('receivedCommands').selectAll()
  return {
    insert: (command) => db.insertInto('receivedCommands').values(toColumns(command)).$call(run),
    get: async (id) => toModel(await select().where('id', '=', id).executeTakeFirst()),
    end: (id, { status, result }) =>
      change(db, 'receivedCommands', { id, status: 'begun' }, toColumns({ status, result })),
    begun: async () => (await select().where('status', '=', 'begun').orderBy('number').execute()).map(toModel),
    async untold(limit) {
      const rows = await select()
        .where('toldAt', 'is', null)
        .where('status', '<>', 'begun')
        .orderBy('number')
        .limit(limit)
        .execute()
      return rows.map(toModel)
    },
    told: (id, at) => db.updateTable('receivedCommands').set({ toldAt: at }).where('id', '=', id).$call(run),
    tellAgain: (id) =>
      db
        .updateTable('receivedCommands')
        .set({ toldAt: null })
        .where('id', '=', id)
        .where('status', '<>', 'begun')
        .$call(run),
    forget: (before, keep) =>
      db
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
        .$call(run),
    async list(limit) {
      const rows = select().orderBy('receivedAt', 'desc').orderBy('number', 'desc').limit(limit)
      return (await rows.execute()).map(toModel)
    },
  }
}
