import { type Selectable, sql } from 'kysely'
import type { InvoiceStatus } from '../domain/invoice.ts'
import type { Invoice } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, refusingDuplicates } from './connection.ts'
import { beyond } from './slice.ts'
import type { Tables } from './tables.ts'

const OPEN = ['pending', 'retrying', 'failed'] as const

/** Written out, not bound: SQLite uses the partial index only where it sees this very term. */
const UNCONFIRMED = sql<boolean>`status <> 'confirmed'`

export function invoices(db: Db): StoreTransaction['invoices'] {
  const select = () => db.selectFrom('invoices').selectAll()
  return {
    async insert({ document, ...invoice }) {
      const row = {
        ...invoice,
        zki: document.zki,
        premisesCode: document.premisesCode,
        sequenceRegister: document.sequenceMark === 'N' ? document.registerMark : '',
        number: document.number,
        lateDelivery: Number(invoice.lateDelivery),
        document: JSON.stringify(document),
      }
      await refusingDuplicates(db.insertInto('invoices').values(row).execute())
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toInvoice(row)
    },
    async list({ tenantId, mode, companyId, deviceId, premisesCode, status, from, to }, slice) {
      let query = select()
        .where('tenantId', '=', tenantId)
        .orderBy('occurredAt', 'desc')
        .orderBy('id', 'desc')
        .limit(slice.limit)
      if (mode !== null) query = query.where('mode', '=', mode)
      if (companyId !== undefined) query = query.where('companyId', '=', companyId)
      if (deviceId !== undefined) query = query.where('deviceId', '=', deviceId)
      if (premisesCode !== undefined) query = query.where('premisesCode', '=', premisesCode)
      if (status !== undefined) query = query.where('status', '=', status)
      if (status !== undefined && status !== 'confirmed') query = query.where(UNCONFIRMED)
      if (from !== undefined) query = query.where('occurredAt', '>=', from)
      if (to !== undefined) query = query.where('occurredAt', '<', to)
      if (slice.after) query = query.where(beyond('occurredAt', 'id', '<', slice.after))
      return (await query.execute()).map(toInvoice)
    },
    async progress(id, progress) {
      const { numUpdatedRows } = await db
        .updateTable('invoices')
        .set({ ...progress, lateDelivery: Number(progress.lateDelivery) })
        .where('id', '=', id)
        .where('status', 'in', OPEN)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw new Error(`invoice ${id} is not open: its outcome is final`)
    },
    async byDeadline(status, limit, after) {
      let query = select()
        .where(UNCONFIRMED)
        .where('status', '=', status)
        .orderBy('deadlineAt')
        .orderBy('id')
        .limit(limit)
      if (after) {
        query = query.where((eb) => eb(eb.refTuple('deadlineAt', 'id'), '>', eb.tuple(after.deadlineAt, after.id)))
      }
      return (await query.execute()).map(toInvoice)
    },
    async queue() {
      const rows = await db
        .selectFrom('invoices')
        .where(UNCONFIRMED)
        .select((eb) => ['status', eb.fn.countAll<number>().as('count'), eb.fn.min('deadlineAt').as('nextDeadlineAt')])
        .groupBy('status')
        .execute()
      const count = (wanted: InvoiceStatus) => rows.find(({ status }) => status === wanted)?.count ?? 0
      const deadlines = rows.filter(({ status }) => status !== 'expired').map((row) => row.nextDeadlineAt)
      return {
        pending: count('pending'),
        retrying: count('retrying'),
        failed: count('failed'),
        expired: count('expired'),
        nextDeadlineAt: deadlines.length === 0 ? null : Math.min(...deadlines),
      }
    },
  }
}

function toInvoice(row: Selectable<Tables['invoices']>): Invoice {
  const { zki: _zki, premisesCode: _code, sequenceRegister: _register, number: _number, ...invoice } = row
  return { ...invoice, lateDelivery: row.lateDelivery === 1, document: JSON.parse(row.document) }
}
