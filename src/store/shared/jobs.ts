import { slices } from '../../domain/slices.ts'
import { JOB_ROW_STATES, type Job, type JobRow, type JobRowState } from '../../fiscal/ports/jobs.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { change, columnsOf, countOf, run, sliceBy } from './queries.ts'

const JOB = columnsOf<Job>()({ json: ['parameters'] })
const ROW = columnsOf<JobRow>()({ json: ['refusal'] })

/** Rows of one statement: the number of its values is limited. */
const AT_ONCE = 500

export function jobs(db: Db): StoreTransaction['jobs'] {
  const jobs = () => db.selectFrom('jobs').selectAll()
  const rowsOf = (id: string) => db.selectFrom('jobRows').selectAll().where('jobId', '=', id)
  return {
    async insert(job, rows) {
      await db.insertInto('jobs').values(JOB.toColumns(job)).execute()
      const unsent = { jobId: job.id, state: 'todo', commandId: null, refusal: null } as const
      const values = rows.map((row, position) => ({ ...row, ...unsent, position }))
      for (const some of slices(values, AT_ONCE)) await db.insertInto('jobRows').values(some).execute()
    },
    get: async (id) => JOB.toModel(await jobs().where('id', '=', id).executeTakeFirst()),
    async list(tenantId, limit) {
      const query = sliceBy(jobs().where('tenantId', '=', tenantId), 'createdAt', 'desc', { limit })
      return (await query.execute()).map(JOB.toModel)
    },
    async open() {
      const query = jobs().where('endedAt', 'is', null).orderBy('createdAt').orderBy('id')
      return (await query.execute()).map(JOB.toModel)
    },
    countOpen: (tenantId) =>
      db.selectFrom('jobs').where('endedAt', 'is', null).where('tenantId', '=', tenantId).$call(countOf),
    async counts(id) {
      const found = await db
        .selectFrom('jobRows')
        .where('jobId', '=', id)
        .groupBy('state')
        .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
        .execute()
      const none = Object.fromEntries(JOB_ROW_STATES.map((state) => [state, 0])) as Record<JobRowState, number>
      return { ...none, ...Object.fromEntries(found.map(({ state, count }) => [state, count])) }
    },
    async rows(id, states, from, limit) {
      const query = rowsOf(id).where('state', 'in', states).where('position', '>=', from).orderBy('position')
      return (await query.limit(limit).execute()).map(ROW.toModel)
    },
    async todo(id, withoutGateways, limit) {
      let query = rowsOf(id).where('state', '=', 'todo').orderBy('position').limit(limit)
      if (withoutGateways.length > 0) query = query.where('gatewayId', 'not in', withoutGateways)
      return (await query.execute()).map(ROW.toModel)
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
      return rows.map(ROW.toModel)
    },
    move: ({ jobId, position }, state, outcome) =>
      change(db, 'jobRows', { jobId, position, state }, ROW.toColumns(outcome)),
    end: (id, at) =>
      db.updateTable('jobs').set({ endedAt: at }).where('id', '=', id).where('endedAt', 'is', null).$call(run),
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
