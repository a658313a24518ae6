import { type Insertable, sql } from 'kysely'
import { type PaperRoll, UNKNOWN_ROLL } from '../../domain/printing/paper-roll.ts'
import type { DevicePrinter, PrintJob } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { changesOne, columnsOf, matching, run, upsert } from './queries.ts'
import type { Tables } from './tables.ts'
import { writtenOnce, writtenOncePerColumns } from './written-once.ts'

export const { toColumns: printerRow, toModel: toPrinter } = columnsOf<DevicePrinter>()({ json: ['overrides'] })

export const printerOfDevice = writtenOnce((db, deviceId: string) =>
  db.selectFrom('printers').selectAll().where('deviceId', '=', deviceId),
)

export function printers(db: Db): StoreTransaction['printers'] {
  const select = () => db.selectFrom('printers').selectAll()
  return {
    get: async (deviceId) => toPrinter((await printerOfDevice(db, deviceId)).rows[0]),
    all: async () => (await select().orderBy('deviceId').execute()).map(toPrinter),
    put: (printer) => upsert(db, 'printers', printerRow(printer), 'deviceId'),
    remove: (deviceId) => db.deleteFrom('printers').where('deviceId', '=', deviceId).$call(run),
  }
}

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
  const update = (invoiceId: string, copy: number) => db.updateTable('printJobs').where(matching({ invoiceId, copy }))
  return {
    async insert(job) {
      await insertPrintJob(db, job)
    },
    get: (invoiceId, copy) => select().where(matching({ invoiceId, copy })).executeTakeFirst(),
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
    open: () => select().where(OPEN).orderBy('createdAt').execute(),
    ofDevice: (deviceId, limit) =>
      select().where('deviceId', '=', deviceId).orderBy('createdAt', 'desc').limit(limit).execute(),
    lastBegun: (deviceId) =>
      select()
        .where('deviceId', '=', deviceId)
        .where('begunAt', 'is not', null)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst(),
    async giveOut(job) {
      const { status, begunAt, endedAt, detail, reason } = job
      const expired = update(job.invoiceId, job.copy).where('status', '=', 'expired').where('begunAt', 'is', null)
      if (await changesOne(expired.set({ status, begunAt, endedAt, detail, reason }))) return true
      if (await this.get(job.invoiceId, job.copy)) return false
      await this.insert(job)
      return true
    },
    begin: (invoiceId, copy, at) =>
      update(invoiceId, copy).set({ status: 'sending', begunAt: at }).where('status', '=', 'queued').$call(changesOne),
    end: (invoiceId, copy, end) =>
      update(invoiceId, copy).set(end).where('status', 'in', ['queued', 'sending']).$call(changesOne),
  }
}

const { toColumns, toModel } = columnsOf<PaperRoll & { line: string }>()({ flags: ['isWhole'] })

export function paperRolls(db: Db): StoreTransaction['paperRolls'] {
  return {
    async get(line) {
      const row = await db.selectFrom('paperRolls').selectAll().where('line', '=', line).executeTakeFirst()
      if (!row) return undefined
      const { line: _line, ...roll } = toModel(row)
      return roll
    },
    put: (line, roll) => upsert(db, 'paperRolls', toColumns({ line, ...roll }), 'line'),
    add: (line, { mm, receipts }) =>
      db
        .insertInto('paperRolls')
        .values({ ...UNKNOWN_ROLL, line, mm, receipts, isWhole: 0 })
        .onConflict((conflict) =>
          conflict.column('line').doUpdateSet((eb) => ({
            mm: eb('paperRolls.mm', '+', mm),
            receipts: eb('paperRolls.receipts', '+', receipts),
          })),
        )
        .$call(run),
  }
}
