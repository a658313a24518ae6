import type { Selectable } from 'kysely'
import { type Company, LOCAL_GATEWAY } from '../../../fiscal/ports/model.ts'
import type { RecordOf, SyncKind } from '../../../fiscal/ports/outbox.ts'
import type { Db } from '../../sqlite/connection.ts'
import { toAlert } from '../alerts.ts'
import { toRequest } from '../invoices/authority-requests.ts'
import { toInvoice } from '../invoices/invoices.ts'
import { logos } from '../logos.ts'
import { PRINT_JOB_COLUMNS } from '../printing.ts'
import { toCertificate, toCompany, toDevice } from '../registry.ts'
import type { Tables } from '../tables.ts'

type Read<K extends SyncKind> = (db: Db, ids: readonly string[], tenantId: string) => Promise<RecordOf<K>[]>

/** A table whose rows store which gateway they belong to. */
function ownTable<K extends SyncKind, T extends 'companies' | 'devices' | 'invoices' | 'authorityRequests' | 'alerts'>(
  kind: K,
  table: T,
  toModel: (stored: Selectable<Tables[T]>) => RecordOf<K>['row'] & { id: string; tenantId: string; gatewayId: string },
): Read<K> {
  return async (db, ids, tenantId) => {
    const rows = await db
      // All these tables have the columns named here.
      .selectFrom(`${table as 'companies'} as own`)
      .innerJoin('outbox', (join) => join.onRef('outbox.id', '=', 'own.id').on('outbox.kind', '=', kind))
      .where('own.id', 'in', ids)
      .where('own.tenantId', '=', tenantId)
      .where('own.gatewayId', '=', LOCAL_GATEWAY)
      .selectAll('own')
      .select('outbox.position as version')
      .execute()
    return rows.map(({ version, ...stored }) => {
      const { tenantId: _tenant, gatewayId: _gateway, ...row } = toModel(stored as unknown as Selectable<Tables[T]>)
      return { kind, id: row.id, version, row } as unknown as RecordOf<K>
    })
  }
}

/** Reads our own rows and the outbox positions of their latest changes, each kind in one statement, so that both agree. */
export const readRows: { [K in SyncKind]: Read<K> } = {
  async company(db, ids, tenantId) {
    const read = ownTable('company', 'companies', (stored) => ({ ...toCompany(stored), logo: null }))
    const found: RecordOf<'company'>[] = []
    for (const { row, ...record } of await read(db, ids, tenantId)) {
      // What a hash names never changes, so it can be read afterwards.
      const { logoHash, ...company } = row as typeof row & Pick<Company, 'logoHash'>
      found.push({ ...record, row: { ...company, logo: (logoHash && (await logos(db).get(logoHash))) || null } })
    }
    return found
  },
  async certificate(db, ids, tenantId) {
    const rows = await db
      .selectFrom('certificates')
      .innerJoin('outbox', (join) =>
        join.onRef('outbox.id', '=', 'certificates.id').on('outbox.kind', '=', 'certificate'),
      )
      .innerJoin('companies', 'companies.id', 'certificates.companyId')
      .where('certificates.id', 'in', ids)
      .where('companies.tenantId', '=', tenantId)
      .where('certificates.gatewayId', '=', LOCAL_GATEWAY)
      .selectAll('certificates')
      .select('outbox.position as version')
      .execute()
    return rows.map(({ version, ...stored }) => {
      const { sealedKey: _secret, ...row } = toCertificate(stored)
      return { kind: 'certificate', id: row.id, version, row }
    })
  },
  device: ownTable('device', 'devices', toDevice),
  invoice: ownTable('invoice', 'invoices', toInvoice),
  async message(db, ids, tenantId) {
    const rows = await db
      .selectFrom('messages')
      .innerJoin('outbox', (join) => join.onRef('outbox.id', '=', 'messages.id').on('outbox.kind', '=', 'message'))
      .innerJoin('invoices', 'invoices.id', 'messages.invoiceId')
      .where('messages.id', 'in', ids)
      .where('invoices.tenantId', '=', tenantId)
      .where('invoices.gatewayId', '=', LOCAL_GATEWAY)
      .selectAll('messages')
      .select('outbox.position as version')
      .execute()
    return rows.map(({ version, ...row }) => ({ kind: 'message', id: row.id, version, row }))
  },
  async print_job(db, ids, tenantId) {
    const found: RecordOf<'print_job'>[] = []
    // One at a time by the columns of the key: no index has the key as one text.
    for (const id of ids) {
      const at = id.lastIndexOf('/')
      const job = await db
        .selectFrom('printJobs')
        .innerJoin('outbox', (join) => join.on('outbox.kind', '=', 'print_job').on('outbox.id', '=', id))
        .innerJoin('invoices', 'invoices.id', 'printJobs.invoiceId')
        .where('printJobs.invoiceId', '=', id.slice(0, at))
        .where('printJobs.copy', '=', Number(id.slice(at + 1)))
        .where('invoices.tenantId', '=', tenantId)
        .where('printJobs.gatewayId', '=', LOCAL_GATEWAY)
        .select(PRINT_JOB_COLUMNS.map((column) => `printJobs.${column}` as const))
        .select('outbox.position as version')
        .executeTakeFirst()
      if (!job) continue
      const { version, ...row } = job
      found.push({ kind: 'print_job', id, version, row })
    }
    return found
  },
  request: ownTable('request', 'authorityRequests', (stored) => {
    const { jobRow: _job, requestXml: _sent, responseXml: _answer, ...request } = toRequest(stored)
    return request
  }),
  alert: ownTable('alert', 'alerts', (stored) => {
    // The server finds it out by itself: companies have other ids there.
    const { companyId: _company, ...alert } = toAlert(stored)
    return alert
  }),
}
