import { type Selectable, sql } from 'kysely'
import type { InvoiceLookups, LookupRealm } from '../../../fiscal/ports/invoice-lookups.ts'
import type { Invoice, Sequence } from '../../../fiscal/ports/model.ts'
import type { Db } from '../../sqlite/connection.ts'
import { messageOf, outlinesBefore } from '../messages.ts'
import { premisesInOrder } from '../numbering.ts'
import { SEQUENCE } from '../numbers-ahead.ts'
import { PRINT_JOB_COLUMNS } from '../printing.ts'
import { beyond, having, matching, ofCompanies, sliceBy } from '../queries.ts'
import type { Tables } from '../tables.ts'
import { toInvoice, toIssued, UNCONFIRMED } from './invoices.ts'

const INDEXED = 8

export function invoiceLookups(db: Db): InvoiceLookups {
  async function byCode(
    column: 'zki' | 'jir',
    realm: LookupRealm,
    beginning: string,
    limit: number,
  ): Promise<Invoice[]> {
    const indexed = beginning.slice(0, INDEXED)
    // The tax authority may write a JIR in upper or lower case.
    const spellings = [...new Set([indexed, indexed.toUpperCase()])]
    let query = db
      .selectFrom('invoices')
      .selectAll()
      .where(sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(INDEXED)}) IN (${sql.join(spellings)})`)
      .where(sql<boolean>`lower(substr(${sql.ref(column)}, 1, ${sql.lit(beginning.length)})) = ${beginning}`)
      .where(unindexed('tenantId', realm.tenantId))
      .where(ofCompanies('companyId', realm.companyIds, 'unindexed'))
    if (column === 'jir') query = query.where('jir', 'is not', null)
    if (realm.mode !== null) query = query.where(unindexed('mode', realm.mode))
    return (await sliceBy(query, 'occurredAt', 'desc', { limit }).execute()).map(toInvoice)
  }

  return {
    byZki: (realm, beginning, limit) => byCode('zki', realm, beginning, limit),
    byJir: (realm, beginning, limit) => byCode('jir', realm, beginning, limit),
    async byNumber({ tenantId, mode, companyIds }, { number, premisesCode }, after, count) {
      let sequences = premisesInOrder(having(db.selectFrom('sequences').select(SEQUENCE), { mode }))
        .where('companyId', 'in', (eb) => eb.selectFrom('companies').select('id').where('tenantId', '=', tenantId))
        .where(ofCompanies('companyId', companyIds))
        .orderBy('register')
        .limit(count)
      if (premisesCode !== null) {
        sequences = sequences.where('premisesCode', 'in', [premisesCode, premisesCode.toUpperCase()])
      }
      if (after) sequences = sequences.where(behind(after))
      const found = await sequences.execute()
      const last = found.at(-1)
      if (!last) return { invoices: [], next: null }
      const keys = found.map(
        (one) => sql`(${one.companyId}, ${one.mode}, ${one.premisesCode}, CAST(${one.year} AS INTEGER),
          ${one.register}, ${number})`,
      )
      const rows = await db
        .selectFrom('invoices')
        .selectAll()
        .where(
          sql<boolean>`(company_id, mode, premises_code, year, sequence_register, number) IN (VALUES ${sql.join(keys)})`,
        )
        .execute()
      const invoices = rows.filter((row) => row.tenantId === tenantId).map(toInvoice)
      return { invoices, next: found.length === count ? last : null }
    },
    async issued({ tenantId, mode, from, to, status, ...seller }, { limit, after }) {
      let query = having(db.selectFrom('invoices').select(ISSUED), { tenantId, mode, ...seller })
        .where('occurredAt', '<', to)
        .orderBy('occurredAt')
        .orderBy('id')
        .limit(limit)
      if (status !== undefined) query = query.where('status', '=', status).where(UNCONFIRMED)
      // Only one lower bound: of two bounds SQLite may use the lower one, and read from there each time.
      query = after ? query.where(beyond('occurredAt', '>', after)) : query.where('occurredAt', '>=', from)
      const rows = await query.execute()
      return rows.map(toIssued)
    },
    outlines: (invoiceId, before, limit) => outlinesBefore(db, invoiceId, before, limit),
    message: (id) => messageOf(db, id),
    prints(invoiceId, limit) {
      const query = db.selectFrom('printJobs').select(PRINT_JOB_COLUMNS).where('invoiceId', '=', invoiceId)
      return query.orderBy('copy', 'desc').limit(limit).execute()
    },
    unconfirmed({ tenantId, mode, companyIds, status }, slice) {
      const rows = db
        .selectFrom('invoices')
        .select(['id', 'occurredAt', 'deadlineAt', 'gatewayId', 'errorCode', 'errorMessage'])
        .where(matching({ tenantId, mode, status }))
        .where(UNCONFIRMED)
        .where(ofCompanies('companyId', companyIds, 'unindexed'))
      return sliceBy(rows, 'occurredAt', 'asc', slice).execute()
    },
  }
}

function behind({ companyId, mode, premisesCode, year, register }: Sequence) {
  return sql<boolean>`(company_id, mode, premises_code, year, register)
    > (${companyId}, ${mode}, ${premisesCode}, CAST(${year} AS INTEGER), ${register})`
}

function unindexed(column: keyof Selectable<Tables['invoices']>, value: string) {
  return sql<boolean>`${sql.ref(column)} || '' = ${value}`
}

const ISSUED = [
  ...(['id', 'tenantId', 'companyId', 'deviceId', 'certificateId', 'gatewayId', 'mode', 'status', 'jir'] as const),
  ...(['year', 'occurredAtText', 'occurredAt', 'document', 'lateDelivery', 'numberSupplied', 'attempts'] as const),
  ...(['deadlineAt', 'confirmedAt', 'createdAt', 'journalPosition', 'lastErrorClass', 'errorCode'] as const),
  ...(['errorMessage', 'deliveryFindings'] as const),
] as const
