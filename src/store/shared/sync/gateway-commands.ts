import { sql } from 'kysely'
import type { GatewayCommand } from '../../../fiscal/ports/gateway-commands.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { changesOne, columnsOf, isPostgres, run, sliceBy, upsert } from '../queries.ts'
import { writtenOnce } from '../written-once.ts'

const COMMAND = columnsOf<GatewayCommand>()({ json: ['body', 'result'] })

/** Written out, not bound: SQLite uses the partial index only where it sees this very term. */
const WAITING = sql<boolean>`status = 'waiting'`

const waiting = writtenOnce((db, gatewayId: string, limit: number) =>
  db
    .selectFrom('gatewayCommands')
    .selectAll()
    .where('gatewayId', '=', gatewayId)
    .where(WAITING)
    .orderBy('number')
    .limit(limit),
)

export function gatewayCommands(db: Db): StoreTransaction['gatewayCommands'] {
  const select = () => db.selectFrom('gatewayCommands').selectAll()
  const ofGateway = (id: string) => db.selectFrom('gatewayCommands').where('gatewayId', '=', id)
  const update = () => db.updateTable('gatewayCommands')

  async function lastNumber(gatewayId: string): Promise<number> {
    const given = await ofGateway(gatewayId)
      .select((eb) => eb.fn.max<number | null>('number').as('number'))
      .executeTakeFirstOrThrow()
    const taken = await db.selectFrom('gateways').where('id', '=', gatewayId).select('lastCommand').executeTakeFirst()
    return Math.max(given.number ?? 0, taken?.lastCommand ?? 0)
  }

  return {
    async add(command) {
      const number = (await lastNumber(command.gatewayId)) + 1
      const stored = { ...command, number, status: 'waiting', sentAt: null, answeredAt: null, result: null } as const
      await db.insertInto('gatewayCommands').values(COMMAND.toColumns(stored)).execute()
      return stored
    },
    get: async (id) => toCommand(await select().where('id', '=', id).executeTakeFirst()),
    waiting: async (gatewayId, limit) => (await waiting(db, gatewayId, limit)).rows.map(toCommand),
    async awaited() {
      const rows = await db.selectFrom('gatewayCommands').where(WAITING).select('gatewayId').distinct().execute()
      return rows.map(({ gatewayId }) => gatewayId)
    },
    async waitingAt(gatewayIds, limit) {
      if (gatewayIds.length === 0) return []
      const rows = await select()
        .where('gatewayId', 'in', gatewayIds)
        .where(WAITING)
        .orderBy('gatewayId')
        .orderBy('number')
        .limit(limit * gatewayIds.length)
        .execute()
      return rows.map(toCommand)
    },
    async withIds(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).orderBy('issuedAt').orderBy('id').execute()).map(toCommand)
    },
    async latestAbout(type, companyId) {
      const about = isPostgres(db) ? sql`body::jsonb ->> 'company_id'` : sql`json_extract(body, '$.company_id')`
      const rows = await db
        .selectFrom('gatewayCommands')
        .selectAll()
        .select(sql<string>`CASE type WHEN 'certificate.add' THEN '{}' ELSE body END`.as('body'))
        .where('type', '=', type)
        .where(about, '=', companyId)
        .orderBy('number')
        .execute()
      return [...new Map(rows.map((row) => [row.gatewayId, toCommand(row)])).values()]
    },
    async lapsed(since) {
      const field = (table: string, name: string) =>
        sql.raw(isPostgres(db) ? `${table}.body::jsonb ->> '${name}'` : `json_extract(${table}.body, '$.${name}')`)
      const about = (table: string) => sql`coalesce(${field(table, 'device_id')}, ${field(table, 'company_id')}, '')`
      const { rows } = await sql<{ gatewayId: string; count: number }>`SELECT gateway_id, COUNT(*) AS count
        FROM gateway_commands AS old WHERE status = 'expired' AND expires_at >= ${since}
        AND NOT EXISTS (SELECT 1 FROM gateway_commands AS later WHERE later.gateway_id = old.gateway_id
          AND later.number > old.number AND later.type = old.type AND ${about('later')} = ${about('old')})
        GROUP BY gateway_id`.execute(db)
      return new Map(rows.map(({ gatewayId, count }) => [gatewayId, Number(count)]))
    },
    async withdraw(ids, replacedBy) {
      if (ids.length === 0) return
      const unsent = update().where('id', 'in', ids).where(WAITING).where('sentAt', 'is', null)
      await unsent.set({ status: 'withdrawn', result: JSON.stringify({ replaced_by: replacedBy }) }).execute()
    },
    last: lastNumber,
    async renumber(gatewayId, above) {
      const gateway = db.updateTable('gateways').where('id', '=', gatewayId)
      await gateway.set({ lastCommand: above }).where('lastCommand', '<', above).execute()
      const unsent = ofGateway(gatewayId).where(WAITING).where('sentAt', 'is', null)
      const behind = await unsent.where('number', '<=', above).select('id').orderBy('number').execute()
      let number = behind.length === 0 ? 0 : await lastNumber(gatewayId)
      for (const { id } of behind) {
        number++
        await update().set({ number }).where('id', '=', id).execute()
      }
    },
    async sent(ids, at) {
      if (ids.length === 0) return
      await update().set({ sentAt: at }).where('id', 'in', ids).where('sentAt', 'is', null).execute()
    },
    answer: (id, answer) =>
      update().set(COMMAND.toColumns(answer)).where('id', '=', id).where('answeredAt', 'is', null).$call(changesOne),
    async expire(now) {
      const unsent = update().where(WAITING).where('sentAt', 'is', null)
      await unsent.set({ status: 'expired' }).where('expiresAt', '<=', now).execute()
    },
    async list(gatewayId, slice) {
      const query = sliceBy(ofGateway(gatewayId).selectAll(), 'issuedAt', 'desc', slice)
      return (await query.execute()).map(toCommand)
    },
    attach: (commandId, attachment) => upsert(db, 'commandAttachments', { commandId, ...attachment }, 'commandId'),
    attachment: (commandId) =>
      db
        .selectFrom('commandAttachments')
        .select(['name', 'content'])
        .where('commandId', '=', commandId)
        .executeTakeFirst(),
    async attachments(commandIds) {
      if (commandIds.length === 0) return []
      return db
        .selectFrom('commandAttachments')
        .select(['commandId', 'name', (eb) => eb.fn<number>('length', ['content']).as('bytes')])
        .where('commandId', 'in', commandIds)
        .execute()
    },
    removeAttachmentsBefore: (moment) =>
      db
        .deleteFrom('commandAttachments')
        .where('commandId', 'in', (eb) => eb.selectFrom('gatewayCommands').select('id').where('issuedAt', '<', moment))
        .$call(run),
  }
}

const toCommand = COMMAND.toModel
