import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { InvoiceStatus } from '../../../domain/sale/invoice.ts'
import { sequenceRegister } from '../../../domain/sale/receipt-number.ts'
import { MODES, type Mode } from '../../../domain/sale/sale.ts'
import type { IssuedInvoice } from '../../../fiscal/ports/invoice-lookups.ts'
import type { Invoice, InvoiceProgress } from '../../../fiscal/ports/model.ts'
import type { Slice } from '../../../fiscal/ports/rows/lists.ts'
import type { InvoiceFilter } from '../../../fiscal/ports/rows/sales.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import { type Db, requireInserted, unlessThere } from '../../sqlite/connection.ts'
import { columnsOf, having, locked, matching, notOfGateway, ofCompanies, sliceBy } from '../queries.ts'
import type { Tables } from '../tables.ts'
import { writtenOnce, writtenOncePerColumns } from '../written-once.ts'

const INVOICE = columnsOf<Invoice>()({ json: ['document', 'receipt'], flags: ['lateDelivery', 'numberSupplied'] })
/** Without the layout of the receipt. */
export const { toModel: toIssued } = columnsOf<IssuedInvoice>()({
  json: ['document'],
  flags: ['lateDelivery', 'numberSupplied'],
})

export const OPEN = ['pending', 'retrying', 'failed'] as const

/** Written out, not bound: SQLite uses a partial index only where it sees its very terms. */
export const UNCONFIRMED = sql<boolean>`status <> 'confirmed'`
/** Invoices issued here, which no gateway sends. */
const OUR_OWN = sql<boolean>`gateway_id = ''`
/** An invoice is pending for as long as its first message is under way: an index without it is not written then. */
const NOT_PENDING = sql<boolean>`status <> 'pending'`

export const insertInvoice = writtenOncePerColumns((db, row: Insertable<Tables['invoices']>) =>
  db.insertInto('invoices').values(row).onConflict(unlessThere),
)

export const changeOpen = writtenOncePerColumns((db, changes: Updateable<Tables['invoices']>, id: string) =>
  db.updateTable('invoices').set(changes).where('id', '=', id).where('status', 'in', OPEN),
)

/**
 * As an expression, and the limit of `endOf` as a literal: SQLite looks at the value of a bare parameter beside a partial
 * index and an order, or of a limit, and compiles the statement anew at each binding: ten times as long as the read.
 */
const asValue = <T extends string>(parameter: T) => sql<T>`CAST(${parameter} AS text)`

export const endOf = writtenOnce((db, companyId: string, mode: Mode, premisesCode: string) =>
  db
    .selectFrom('invoices')
    .select(['journalPosition', 'seal'])
    .where(OUR_OWN)
    .where(matching({ companyId: asValue(companyId), mode: asValue(mode), premisesCode: asValue(premisesCode) }))
    .orderBy('journalPosition', 'desc')
    .limit(sql.lit(1)),
)

export function invoices(db: Db): StoreTransaction['invoices'] {
  const select = () => db.selectFrom('invoices').selectAll()

  /** Own invoices of one status without a JIR, by an index. */
  function ownIn(status: InvoiceStatus) {
    const own = db.selectFrom('invoices').where(UNCONFIRMED).where(OUR_OWN).where('status', '=', status)
    if (status !== 'pending') return own.where(NOT_PENDING)
    // Few, in no order of an index: that of the lists has them, by tenant and mode.
    const tenants = db.selectFrom('tenants').select('id')
    return own.where('tenantId', 'in', tenants).where('mode', 'in', MODES)
  }

  function partOf(mode: Mode, filter: Omit<InvoiceFilter, 'mode'>, slice: Slice) {
    const { tenantId, companyIds, companyId, deviceId, premisesCode, status, from, to } = filter
    const all = having(db.selectFrom('invoices'), { tenantId, mode, status })
    let query = sliceBy(all, 'occurredAt', 'desc', slice).where(ofCompanies('companyId', companyIds, 'unindexed'))
    // Few invoices wait, and they have their own index; the expression keeps the database from using another one.
    const waits = status !== undefined && status !== 'confirmed'
    const equals = (column: 'companyId' | 'deviceId' | 'premisesCode', value: string) =>
      waits ? sql<boolean>`${sql.ref(column)} || '' = ${value}` : sql<boolean>`${sql.ref(column)} = ${value}`
    if (companyId !== undefined) query = query.where(equals('companyId', companyId))
    if (deviceId !== undefined) query = query.where(equals('deviceId', deviceId))
    if (premisesCode !== undefined) query = query.where(equals('premisesCode', premisesCode))
    if (waits) query = query.where(UNCONFIRMED)
    if (from !== undefined) query = query.where('occurredAt', '>=', from)
    if (to !== undefined) query = query.where('occurredAt', '<', to)
    return query
  }

  async function withIds(ids: readonly string[]): Promise<Invoice[]> {
    return ids.length === 0 ? [] : (await select().where('id', 'in', ids).execute()).map(toInvoice)
  }

  return {
    withIds,
    async insert(invoice) {
      requireInserted((await insertInvoice(db, invoiceRow(invoice))).numAffectedRows)
    },
    get: async (id) => toInvoice(await select().where('id', '=', id).executeTakeFirst()),
    locked: async (id) => toInvoice(await locked(db, select().where('id', '=', id)).executeTakeFirst()),
    async list({ mode, ...filter }, slice) {
      // The indexes are by mode and company: reads the list of each, then merges the latest sales.
      const modes = mode === null ? MODES : [mode]
      const parts = partsOf(filter).flatMap((part) => modes.map((one) => partOf(one, part, slice)))
      if (parts.length === 1) return ((await parts[0]?.selectAll().execute()) ?? []).map(toInvoice)
      const found: Pick<Invoice, 'id' | 'occurredAt'>[] = []
      for (const part of parts) found.push(...(await part.select(['id', 'occurredAt']).execute()))
      const latest = found.sort(latestFirst).slice(0, slice.limit)
      return (await withIds(latest.map(({ id }) => id))).sort(latestFirst)
    },
    async progress(id, progress) {
      const { numAffectedRows } = await changeOpen(db, progressRow(progress), id)
      requireChanged(id, numAffectedRows)
    },
    async byDeadline(status, limit, { mode, after } = {}) {
      const own = having(ownIn(status).selectAll(), { mode })
      return (await sliceBy(own, 'deadlineAt', 'asc', { limit, after: asPosition(after) }).execute()).map(toInvoice)
    },
    async queue() {
      const others = db.selectFrom('invoices').where(UNCONFIRMED).where(OUR_OWN).where(NOT_PENDING)
      // One statement, so that an invoice that changes its status meanwhile is counted once.
      const rows = await counted(others)
        .unionAll(counted(ownIn('pending')))
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
    failedWith: (code) =>
      ownIn('failed')
        .where('errorCode', '=', code)
        .select((eb) => ['tenantId', 'companyId', 'mode', eb.fn.countAll<number>().as('count')])
        .groupBy(['tenantId', 'companyId', 'mode'])
        .execute(),
    waiting(status, before, limit, after) {
      const own = ownIn(status)
        .select(['id', 'tenantId', 'companyId', 'mode', 'occurredAt', 'deadlineAt', 'errorCode', 'errorMessage'])
        .where('deadlineAt', '<', before)
      return sliceBy(own, 'deadlineAt', 'asc', { limit, after: asPosition(after) }).execute()
    },
    lastOf: async ({ companyId, mode, premisesCode }) => (await endOf(db, companyId, mode, premisesCode)).rows[0],
    async journal({ companyId, mode, premisesCode }, afterPosition, limit) {
      const rows = await select()
        .where(OUR_OWN)
        .where(matching({ companyId, mode, premisesCode }))
        .where('journalPosition', '>', afterPosition)
        .orderBy('journalPosition')
        .limit(limit)
        .execute()
      return rows.map(toInvoice)
    },
    async fromGateways() {
      const { rows } = await sql<{ gateways: number; invoices: number; newestAt: number | null }>`SELECT
        COUNT(DISTINCT gateway_id) AS gateways, COUNT(*) AS invoices, MAX(created_at) AS newest_at
        FROM invoices WHERE gateway_id != ''`.execute(db)
      const { gateways = 0, invoices = 0, newestAt = null } = rows[0] ?? {}
      return { gateways: Number(gateways), invoices: Number(invoices), newestAt: newestAt && Number(newestAt) }
    },
    async journals() {
      const issuedHere = sql<boolean>`EXISTS (SELECT 1 FROM invoices WHERE invoices.gateway_id = ''
        AND (invoices.company_id, invoices.mode, invoices.premises_code)
          = (numbering_levels.company_id, numbering_levels.mode, numbering_levels.premises_code))`
      const journals = db
        .selectFrom('numberingLevels')
        .select(['companyId', 'mode', 'premisesCode'])
        .distinct()
        .where((eb) => eb.or([notOfGateway('numbering_levels'), issuedHere]))
      return journals.orderBy('companyId').orderBy('mode').orderBy('premisesCode').execute()
    },
  }
}

const asPosition = (after: Pick<Invoice, 'deadlineAt' | 'id'> | undefined) =>
  after && { at: after.deadlineAt, id: after.id }

function counted(some: SelectQueryBuilder<Tables, 'invoices', object>) {
  return some
    .select(({ fn }) => ['status', fn.countAll<number>().as('count'), fn.min('deadlineAt').as('nextDeadlineAt')])
    .groupBy('status')
}

/** The filter for each company of the limit, where no index serves several companies at once. */
function partsOf(filter: Omit<InvoiceFilter, 'mode'>): Omit<InvoiceFilter, 'mode'>[] {
  const { companyIds, companyId, deviceId, status } = filter
  const isNarrow = companyId !== undefined || deviceId !== undefined || (status !== undefined && status !== 'confirmed')
  if (companyIds === null || isNarrow) return [filter]
  return companyIds.map((id) => ({ ...filter, companyIds: null, companyId: id }))
}

/** @throws Error when `changeOpen` has changed nothing */
export function requireChanged(id: string, rows: bigint | undefined): void {
  if (rows !== 1n) throw new Error(`invoice ${id} is not open: its outcome is final`)
}

/** The columns of an invoice, also those that are searched by. */
export function invoiceRow(invoice: Invoice) {
  const { document } = invoice
  return {
    ...INVOICE.toColumns(invoice),
    zki: document.zki,
    premisesCode: document.premisesCode,
    sequenceRegister: sequenceRegister(document),
    number: document.number,
  }
}

export function progressRow(from: InvoiceProgress) {
  const { status, jir, confirmedAt, lateDelivery, attempts, lastErrorClass, errorCode, errorMessage } = from
  return {
    status,
    jir,
    confirmedAt,
    lateDelivery: Number(lateDelivery),
    attempts,
    lastErrorClass,
    errorCode,
    errorMessage,
    deliveryFindings: from.deliveryFindings,
  }
}

function latestFirst(one: Pick<Invoice, 'id' | 'occurredAt'>, other: Pick<Invoice, 'id' | 'occurredAt'>): number {
  return other.occurredAt - one.occurredAt || (one.id < other.id ? 1 : -1)
}

export function toInvoice<Row extends Selectable<Tables['invoices']> | undefined>(
  row: Row,
): Invoice | Extract<Row, undefined> {
  if (row === undefined) return undefined as Extract<Row, undefined>
  const { zki: _zki, premisesCode: _code, sequenceRegister: _register, number: _number, ...invoice } = row
  return INVOICE.toModel(invoice)
}
