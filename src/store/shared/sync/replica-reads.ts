import { sql } from 'kysely'
import type { SyncKind, SyncRecord } from '../../../fiscal/ports/outbox.ts'
import type { KnownRows } from '../../../fiscal/ports/replicas.ts'
import type { Db } from '../../sqlite/connection.ts'
import { invoices } from '../invoices/invoices.ts'

type RecordOf<K extends SyncKind> = Extract<SyncRecord, { kind: K }>

/** Reads the stored rows of a batch and the rows they depend on, with one or two queries per table. */
export async function knownRows(db: Db, records: readonly SyncRecord[]): Promise<KnownRows> {
  const of = <K extends SyncKind>(kind: K) => records.filter((record): record is RecordOf<K> => record.kind === kind)
  const [certificates, devices, issued, messages] = [of('certificate'), of('device'), of('invoice'), of('message')]
  const jobs = of('print_job')
  const companyIds = unique([
    ...of('company').map(({ id }) => id),
    ...[...certificates, ...devices, ...issued].map(({ row }) => row.companyId),
  ])
  const certificateIds = unique([...certificates.map(({ id }) => id), ...issued.map(({ row }) => row.certificateId)])
  const deviceIds = unique([...devices.map(({ id }) => id), ...[...issued, ...jobs].map(({ row }) => row.deviceId)])
  const invoiceIds = unique([...issued.map(({ id }) => id), ...[...messages, ...jobs].map(({ row }) => row.invoiceId)])
  const device = await knownDevices(db, deviceIds)
  const premises = [...devices.map(({ row }) => row), ...device.values()]
  return {
    company: await knownCompanies(db, companyIds),
    certificate: await knownCertificates(db, certificateIds),
    device,
    invoice: await knownInvoices(db, invoiceIds, issued),
    message: await knownMessages(
      db,
      messages.map(({ id }) => id),
    ),
    trails: await trailsOf(db, unique(messages.map(({ row }) => row.invoiceId))),
    print_job: await knownPrintJobs(db, jobs),
    alert: await knownAlerts(
      db,
      of('alert').map(({ id }) => id),
    ),
    sequences: await knownSequences(db, issued),
    claims: await claimsOf(db, unique(premises.map(({ companyId }) => companyId)), premises),
  }
}

const unique = (ids: readonly string[]) => [...new Set(ids)]
const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))

async function knownCompanies(db: Db, ids: readonly string[]): Promise<KnownRows['company']> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('companies')
    .select(['id', 'tenantId', 'gatewayId', 'syncVersion as version', 'name', 'vatRegistered', 'mode'])
    .where('id', 'in', ids)
    .execute()
  return byId(rows.map((row) => ({ ...row, vatRegistered: row.vatRegistered === 1 })))
}

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

async function knownDevices(db: Db, ids: readonly string[]): Promise<KnownRows['device']> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('devices')
    .select(['id', 'tenantId', 'gatewayId', 'syncVersion as version'])
    .select(['companyId', 'premisesCode', 'label', 'isuNumber'])
    .where('id', 'in', ids)
    .execute()
  return byId(rows)
}

async function knownInvoices(
  db: Db,
  ids: readonly string[],
  records: readonly RecordOf<'invoice'>[],
): Promise<KnownRows['invoice']> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('invoices')
    .select(['id', 'tenantId', 'gatewayId', 'syncVersion as version', 'companyId', 'deviceId', 'status', 'jir'])
    .where('id', 'in', ids)
    .execute()
  const known: KnownRows['invoice'] = byId(rows.map((row) => ({ ...row, issued: null })))
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

async function knownAlerts(db: Db, ids: readonly string[]): Promise<KnownRows['alert']> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('alerts')
    .select(['id', 'tenantId', 'gatewayId', 'syncVersion as version'])
    .where('id', 'in', ids)
    .execute()
  return byId(rows)
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
