import type { Selectable } from 'kysely'
import { JOB_ROW_STATES, type Job, type JobRow, type JobRowState } from '../../fiscal/ports/jobs.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import type { Tables } from './tables.ts'

/** Rows of one statement: the number of its values is limited. */
const AT_ONCE = 500

export function jobs(db: Db): StoreTransaction['jobs'] {
  const rowsOf = (id: string) => db.selectFrom('jobRows').selectAll().where('jobId', '=', id)
  return {
    async insert(job, rows) {
      await db
        .insertInto('jobs')
        .values({ ...job, parameters: JSON.stringify(job.parameters) })
        .execute()
      for (let start = 0; start < rows.length; start += AT_ONCE) {
        const values = rows.slice(start, start + AT_ONCE).map((row, index) => ({
          ...row,
          ...{ jobId: job.id, position: start + index, state: 'todo' as const, commandId: null, refusal: null },
        }))
        await db.insertInto('jobRows').values(values).execute()
      }
    },
    async get(id) {
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toJob(row)
    },
    async list(tenantId, limit) {
      const query = db.selectFrom('jobs').selectAll().where('tenantId', '=', tenantId).limit(limit)
      return (await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()).map(toJob)
    },
    async open() {
      const query = db.selectFrom('jobs').selectAll().where('endedAt', 'is', null)
      return (await query.orderBy('createdAt').orderBy('id').execute()).map(toJob)
    },
    async countOpen(tenantId) {
      const query = db.selectFrom('jobs').where('endedAt', 'is', null).where('tenantId', '=', tenantId)
      return (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
    },
    async counts(id) {
      const found = await db
        .selectFrom('jobRows')
        .where('jobId', '=', id)
        .groupBy('state')
        .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
        .execute()
      const counts = new Map(found.map(({ state, count }) => [state, count]))
      return Object.fromEntries(JOB_ROW_STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<
        JobRowState,
        number
      >
    },
    async rows(id, states, from, limit) {
      const query = rowsOf(id).where('state', 'in', states).where('position', '>=', from).orderBy('position')
      return (await query.limit(limit).execute()).map(toRow)
    },
    async todo(id, withoutGateways, limit) {
      let query = rowsOf(id).where('state', '=', 'todo').orderBy('position').limit(limit)
      if (withoutGateways.length > 0) query = query.where('gatewayId', 'not in', withoutGateways)
      return (await query.execute()).map(toRow)
    },
    async answered(id, limit) {
      const rows = await db
        .selectFrom('jobRows')
        .innerJoin('gatewayCommands', 'gatewayCommands.id', 'jobRows.commandId')
        .selectAll('jobRows')
        .where('jobRows.jobId', '=', id)
        .where('jobRows.state', '=', 'waiting')
        .where('gatewayCommands.status', '<>', 'waiting')
        .orderBy('jobRows.position')
        .limit(limit)
        .execute()
      return rows.map(toRow)
    },
    async move({ jobId, position }, from, { state, commandId, refusal }) {
      const { numUpdatedRows } = await db
        .updateTable('jobRows')
        .set({
          state,
          ...(commandId !== undefined && { commandId }),
          ...(refusal !== undefined && { refusal: refusal === null ? null : JSON.stringify(refusal) }),
        })
        .where('jobId', '=', jobId)
        .where('position', '=', position)
        .where('state', '=', from)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async end(id, at) {
      await db.updateTable('jobs').set({ endedAt: at }).where('id', '=', id).where('endedAt', 'is', null).execute()
    },
    async removeOne(endedBefore) {
      const found = await db
        .selectFrom('jobs')
        .select('id')
        .where('endedAt', '<', endedBefore)
        .orderBy('createdAt')
        .limit(1)
        .executeTakeFirst()
      if (!found) return
      await db.deleteFrom('jobRows').where('jobId', '=', found.id).execute()
      await db.deleteFrom('jobs').where('id', '=', found.id).execute()
    },
  }
}

function toJob(row: Selectable<Tables['jobs']>): Job {
  return { ...row, parameters: JSON.parse(row.parameters) }
}

function toRow(row: Selectable<Tables['jobRows']>): JobRow {
  return { ...row, refusal: row.refusal === null ? null : JSON.parse(row.refusal) }
}
