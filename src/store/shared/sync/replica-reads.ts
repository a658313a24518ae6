import { type Selectable, sql } from 'kysely'
import type { RecordOf, SyncKind, SyncRecord } from '../../../fiscal/ports/outbox.ts'
import type { KnownRows } from '../../../fiscal/ports/replicas.ts'
import type { Db } from '../../sqlite/connection.ts'
import { invoices } from '../invoices/invoices.ts'
import type { Tables } from '../tables.ts'

/** Reads the stored rows of a batch and the rows they depend on, with one or two queries per table. */
export async function knownRows(db: Db, records: readonly SyncRecord[]): Promise<KnownRows> {
  const of = <K extends SyncKind>(kind: K) => records.filter((record): record is RecordOf<K> => record.kind === kind)
  const [certificates, devices, issued, messages] = [of('certificate'), of('device'), of('invoice'), of('message')]
  const [jobs, requests] = [of('print_job'), of('request')]
  const companyIds = unique([
    ...idsOf(of('company')),
    ...[...certificates, ...devices, ...issued, ...requests].map(({ row }) => row.companyId),
  ])
  const certificateIds = unique([...idsOf(certificates), ...issued.map(({ row }) => row.certificateId)])
  const deviceIds = unique([...idsOf(devices), ...[...issued, ...jobs].map(({ row }) => row.deviceId)])
  const invoiceIds = unique([
    ...idsOf(issued),
    ...[...messages, ...jobs].map(({ row }) => row.invoiceId),
    ...requests.flatMap(({ row }) => row.invoiceId ?? []),
  ])
  const device = await standing(db, 'devices', deviceIds, ['companyId', 'premisesCode', 'label', 'isuNumber'])
  const company = await standing(db, 'companies', companyIds, ['name', 'vatRegistered', 'mode'])
  const premises = [...devices.map(({ row }) => row), ...device.values()]
  return {
    company: new Map([...company].map(([id, row]) => [id, { ...row, vatRegistered: row.vatRegistered === 1 }])),
    certificate: await knownCertificates(db, certificateIds),
    device,
    invoice: await knownInvoices(db, invoiceIds, issued),
    message: await knownMessages(db, idsOf(messages)),
    trails: await trailsOf(db, unique(messages.map(({ row }) => row.invoiceId))),
    print_job: await knownPrintJobs(db, jobs),
    request: await standing(db, 'authorityRequests', idsOf(requests), ['state']),
    alert: await standing(db, 'alerts', idsOf(of('alert'))),
    sequences: await knownSequences(db, issued),
    claims: await claimsOf(db, unique(premises.map(({ companyId }) => companyId)), premises),
  }
}

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)
const unique = (ids: readonly string[]) => [...new Set(ids)]
type Columns<T extends keyof Tables> = keyof Selectable<Tables[T]> & string

/** What is stored of these rows, by id. */
async function standing<
  T extends 'companies' | 'devices' | 'invoices' | 'authorityRequests' | 'alerts',
  C extends Columns<T> = never,
>(db: Db, table: T, ids: readonly string[], columns: readonly C[] = []) {
  type Row = { id: string; tenantId: string; gatewayId: string; version: number } & Pick<Selectable<Tables[T]>, C>
  if (ids.length === 0) return new Map<string, Row>()
  const query = db
    // All these tables have the columns named here.
    .selectFrom(table as 'devices')
    .select(['id', 'tenantId', 'gatewayId', 'syncVersion as version'])
    .select(columns as readonly string[] as readonly 'label'[])
  return byId((await query.where('id', 'in', ids).execute()) as unknown as Row[])
}

const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))

async function knownCertificates(db: Db, ids: readonly string[]): Promise<KnownRows['certificate']> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('certificates')
    .innerJoin('companies', 'companies.id', 'certificates.companyId')
    .select([
      'certificates.id',
      'companies.tenantId',
      'certificates.gatewayId',
      'certificates.syncVersion as version',
      'certificates.companyId',
      'certificates.certificate',
    ])
    .where('certificates.id', 'in', ids)
    .execute()
  return byId(rows)
}

async function knownInvoices(
  db: Db,
  ids: readonly string[],
  records: readonly RecordOf<'invoice'>[],
): Promise<KnownRows['invoice']> {
  const rows = await standing(db, 'invoices', ids, ['companyId', 'deviceId', 'status', 'jir'])
  const known: KnownRows['invoice'] = new Map([...rows].map(([id, row]) => [id, { ...row, issued: null }]))
  for (const { id, version } of records) {
    const before = known.get(id)
    if (before && before.version < version) before.issued = (await invoices(db).get(id)) ?? null
  }
  return known
}

async function knownMessages(db: Db, ids: readonly string[]): Promise<KnownRows['message']> {
  if (ids.length === 0) return new Map()
  return byId(await db.selectFrom('messages').select(['id', 'invoiceId']).where('id', 'in', ids).execute())
}

/** Tells whether XML is stored without reading it. */
async function trailsOf(db: Db, invoiceIds: readonly string[]): Promise<KnownRows['trails']> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select('invoiceId')
    .select((eb) => eb.fn.countAll<number>().as('messages'))
    .select(sql<number>`SUM(CASE WHEN request_xml IS NULL AND response_xml IS NULL THEN 0 ELSE 1 END)`.as('withXml'))
    .where('invoiceId', 'in', invoiceIds)
    .groupBy('invoiceId')
    .execute()
  return new Map(
    rows.map(({ invoiceId, ...counts }) => [
      invoiceId,
      { messages: Number(counts.messages), withXml: Number(counts.withXml) },
    ]),
  )
}

async function knownPrintJobs(db: Db, records: readonly RecordOf<'print_job'>[]): Promise<KnownRows['print_job']> {
  if (records.length === 0) return new Map()
  const pairs = records.map(({ row }) => sql`(${row.invoiceId}, CAST(${row.copy} AS INTEGER))`)
  const rows = await db
    .selectFrom('printJobs')
    .innerJoin('invoices', 'invoices.id', 'printJobs.invoiceId')
    .selectAll('printJobs')
    .select(['invoices.tenantId', 'printJobs.syncVersion as version'])
    .where(sql<boolean>`(print_jobs.invoice_id, print_jobs.copy) IN (VALUES ${sql.join(pairs)})`)
    .execute()
  return new Map(rows.map((row) => [`${row.invoiceId}/${row.copy}`, row]))
}

/** Reads more than needed: all sequences of these premises, years and modes, whatever their company is. */
async function knownSequences(db: Db, issued: readonly RecordOf<'invoice'>[]): Promise<KnownRows['sequences']> {
  if (issued.length === 0) return []
  const rows = issued.map(({ row }) => row)
  return (
    db
      .selectFrom('sequences')
      .selectAll()
      .where('companyId', 'in', unique(rows.map(({ companyId }) => companyId)))
      .where('premisesCode', 'in', unique(rows.map(({ document }) => document.premisesCode)))
      .where('mode', 'in', [...new Set(rows.map(({ mode }) => mode))])
      .where('year', 'in', [...new Set(rows.map(({ year }) => year))])
      // Nothing was counted there yet.
      .where('highest', '<>', '0')
      .execute()
  )
}

async function claimsOf(
  db: Db,
  companyIds: readonly string[],
  premises: readonly { premisesCode: string }[],
): Promise<KnownRows['claims']> {
  if (companyIds.length === 0) return []
  return db
    .selectFrom('premisesClaims')
    .select(['companyId', 'premisesCode', 'gatewayId'])
    .where('companyId', 'in', companyIds)
    .where('premisesCode', 'in', unique(premises.map(({ premisesCode }) => premisesCode)))
    .execute()
}
