import { type Insertable, sql } from 'kysely'
import type { PrintJob } from '../../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import type { Tables } from '../tables.ts'
import { writtenOncePerColumns } from '../written-once.ts'

/** Written out, not bound: SQLite uses the partial index only where it sees this very term. */
const OPEN = sql<boolean>`status IN ('queued', 'sending') AND gateway_id = ''`

export const PRINT_JOB_COLUMNS = [
  'invoiceId',
  'copy',
  'deviceId',
  'status',
  'createdAt',
  'expiresAt',
  'begunAt',
  'endedAt',
  'detail',
  'reason',
] as const satisfies (keyof PrintJob)[]

export const insertPrintJob = writtenOncePerColumns((db, job: Insertable<Tables['printJobs']>) =>
  db.insertInto('printJobs').values(job),
)

export function printJobs(db: Db): StoreTransaction['printJobs'] {
  const select = () => db.selectFrom('printJobs').select(PRINT_JOB_COLUMNS)
  return {
    async insert(job) {
      await insertPrintJob(db, job)
    },
    async get(invoiceId, copy) {
      return select().where('invoiceId', '=', invoiceId).where('copy', '=', copy).executeTakeFirst()
    },
    async originals(invoiceIds) {
      if (invoiceIds.length === 0) return []
      return select().where('invoiceId', 'in', invoiceIds).where('copy', '=', 0).execute()
    },
    async lastCopy(invoiceId) {
      const { last } = await db
        .selectFrom('printJobs')
        .where('invoiceId', '=', invoiceId)
        .select((eb) => eb.fn.max<number | null>('copy').as('last'))
        .executeTakeFirstOrThrow()
      return last ?? 0
    },
    async open() {
      return select().where(OPEN).orderBy('createdAt').execute()
    },
    async ofDevice(deviceId, limit) {
      return select().where('deviceId', '=', deviceId).orderBy('createdAt', 'desc').limit(limit).execute()
    },
    async lastBegun(deviceId) {
      return select()
        .where('deviceId', '=', deviceId)
        .where('begunAt', 'is not', null)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst()
    },
    async giveOut(job) {
      const { status, begunAt, endedAt, detail, reason } = job
      const { numUpdatedRows } = await db
        .updateTable('printJobs')
        .set({ status, begunAt, endedAt, detail, reason })
        .where('invoiceId', '=', job.invoiceId)
        .where('copy', '=', job.copy)
        .where('status', '=', 'expired')
        .where('begunAt', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 1n) return true
      if (await this.get(job.invoiceId, job.copy)) return false
      await this.insert(job)
      return true
    },
    async begin(invoiceId, copy, at) {
      const { numUpdatedRows } = await db
        .updateTable('printJobs')
        .set({ status: 'sending', begunAt: at })
        .where('invoiceId', '=', invoiceId)
        .where('copy', '=', copy)
        .where('status', '=', 'queued')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async end(invoiceId, copy, end) {
      const { numUpdatedRows } = await db
        .updateTable('printJobs')
        .set(end)
        .where('invoiceId', '=', invoiceId)
        .where('copy', '=', copy)
        .where('status', 'in', ['queued', 'sending'])
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
