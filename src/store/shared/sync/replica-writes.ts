import type { Insertable } from 'kysely'
import type { GatewayRecord } from '../../../fiscal/ports/gateways.ts'
import type { SyncKind } from '../../../fiscal/ports/outbox.ts'
import type { ReplicaChanges } from '../../../fiscal/ports/replicas.ts'
import type { Db } from '../../sqlite/connection.ts'
import { alertRow, companyOf } from '../alerts.ts'
import { insertMany } from '../bulk-statements.ts'
import { certificateRow } from '../certificates.ts'
import { companyRow } from '../companies.ts'
import { deviceRow } from '../devices.ts'
import { invoiceRow } from '../invoices/invoices.ts'
import { logos } from '../logos.ts'
import type { Tables } from '../tables.ts'
import { dropForeignClaims } from './foreign-claims.ts'
import { moveWhatIsUnique } from './replica-moves.ts'
import { noteAhead, raiseNumbers } from './replica-numbers.ts'

type From = Pick<GatewayRecord, 'id' | 'tenantId'>
type RecordOf<K extends SyncKind> = ReplicaChanges[K]['insert'][number]

/** Where the rows of a kind are stored, as which columns, and which of these change after the first time. */
interface Kind<K extends SyncKind, T extends keyof Tables> {
  table: T
  key: readonly (keyof Tables[T] & string)[]
  columns(record: RecordOf<K>, from: From): Insertable<Tables[T]>
  changing: readonly (keyof Tables[T] & string)[]
}

/** Nothing is signed here with a gateway's certificate: its key never leaves the gateway. */
const NO_KEY = Buffer.alloc(0)

const CERTIFICATE: Kind<'certificate', 'certificates'> = {
  table: 'certificates',
  key: ['id'],
  columns: ({ row, version }, { id: gatewayId }) => ({
    ...certificateRow({ ...row, sealedKey: NO_KEY }),
    gatewayId,
    syncVersion: version,
  }),
  changing: ['label', 'supersededAt', 'revokedAt', 'syncVersion'],
}

const DEVICE: Kind<'device', 'devices'> = {
  table: 'devices',
  key: ['id'],
  columns: ({ row, version }, { id: gatewayId, tenantId }) => ({
    ...deviceRow({ ...row, tenantId, gatewayId }),
    syncVersion: version,
  }),
  changing: [
    ...(['premisesAddress', 'label', 'isuNumber', 'isuStatus', 'deviceConfig', 'status', 'installedAt'] as const),
    ...(['lastSeenAt', 'lastSuccessAt', 'syncVersion'] as const),
  ],
}

const INVOICE: Kind<'invoice', 'invoices'> = {
  table: 'invoices',
  key: ['id'],
  columns: ({ row, version }, { id: gatewayId, tenantId }) => ({
    ...invoiceRow({ ...row, tenantId, gatewayId }),
    syncVersion: version,
  }),
  changing: [
    ...(['status', 'jir', 'lateDelivery', 'attempts', 'confirmedAt', 'lastErrorClass', 'errorCode'] as const),
    ...(['errorMessage', 'syncVersion'] as const),
  ],
}

const PRINT_JOB: Kind<'print_job', 'printJobs'> = {
  table: 'printJobs',
  key: ['invoiceId', 'copy'],
  columns: ({ row, version }, { id: gatewayId }) => ({ ...row, gatewayId, syncVersion: version }),
  changing: ['status', 'begunAt', 'endedAt', 'detail', 'reason', 'syncVersion'],
}

/** Whose an alert is follows from rows of this database; it is written afterwards. */
const ALERT: Kind<'alert', 'alerts'> = {
  table: 'alerts',
  key: ['id'],
  columns: ({ row, version }, { id: gatewayId, tenantId }) => ({
    ...alertRow({ ...row, tenantId, gatewayId, companyId: null }),
    syncVersion: version,
  }),
  changing: ['detail', 'resolvedAt', 'syncVersion'],
}

/**
 * Writes the rows of a batch, kind by kind: new rows with one bulk insert per kind, changed rows one by one.
 * @throws Overtaken when a row that was to change is not this gateway's any more
 */
export async function writeReplicas(db: Db, gateway: From, decided: ReplicaChanges): Promise<void> {
  const changes = await moveWhatIsUnique(db, gateway.id, decided)
  await writeCompanies(db, gateway, changes.company)
  await write(db, gateway, CERTIFICATE, changes.certificate)
  await write(db, gateway, DEVICE, changes.device)
  await writeNumbers(db, changes)
  await write(db, gateway, INVOICE, changes.invoice)
  await insertMany(
    db,
    'messages',
    changes.message.insert.map(({ row }) => row),
  )
  await write(db, gateway, PRINT_JOB, changes.print_job)
  await writeAlerts(db, gateway, changes.alert)
}

/** Another transaction changed a row between our read and our write: the whole batch has to be decided again. */
class Overtaken extends Error {
  /** PostgreSQL's code of a serialization failure: the ingest transaction is repeated. */
  readonly code = '40001'
  constructor() {
    super('a row belongs to somebody else by now')
    this.name = 'Overtaken'
  }
}

async function write<K extends SyncKind, T extends keyof Tables>(
  db: Db,
  from: From,
  { table, key, columns, changing }: Kind<K, T>,
  { insert, update }: { insert: RecordOf<K>[]; update: RecordOf<K>[] },
): Promise<void> {
  await insertMany(
    db,
    table,
    insert.map((record) => columns(record, from)),
  )
  for (const record of update) {
    const stored: Record<string, unknown> = columns(record, from)
    const only = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, stored[name]]))
    // Each of the tables has these columns.
    const { numUpdatedRows } = await db
      .updateTable(table as 'alerts')
      .set(only(changing))
      .where((eb) => eb.and({ ...only(key), gatewayId: from.id }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Overtaken()
  }
}

async function writeCompanies(db: Db, from: From, { insert, update }: ReplicaChanges['company']): Promise<void> {
  const hashes = new Map<string, string>()
  for (const { id, row } of [...insert, ...update]) if (row.logo) hashes.set(id, await logos(db).put(row.logo))
  const company: Kind<'company', 'companies'> = {
    table: 'companies',
    key: ['id'],
    columns: ({ row: { logo: _logo, ...row }, version }, { id: gatewayId, tenantId }) => ({
      ...companyRow({ ...row, tenantId, gatewayId, logoHash: hashes.get(row.id) ?? null }),
      syncVersion: version,
    }),
    changing: ['name', 'mode', 'status', 'vatRegistered', 'address', 'fiscalConfig', 'logoHash', 'syncVersion'],
  }
  await write(db, from, company, { insert, update })
  await dropForeignClaims(
    db,
    insert.map(({ id }) => id),
  )
}

async function writeNumbers(db: Db, { invoice, uncounted }: ReplicaChanges): Promise<void> {
  const rows = invoice.insert.map(({ row }) => row)
  await raiseNumbers(
    db,
    rows.filter(({ id }) => !uncounted?.has(id)),
  )
  await noteAhead(
    db,
    rows.filter(({ id }) => uncounted?.has(id)),
  )
}

async function writeAlerts(db: Db, from: From, { insert, update }: ReplicaChanges['alert']): Promise<void> {
  await write(db, from, ALERT, { insert, update })
  for (const { id, row } of [...insert, ...update]) {
    const whose = companyOf(from.tenantId, row.detail)
    const query = db.updateTable('alerts').set((eb) => ({
      companyId: whose,
      // An acknowledgement that is stored here stays, whatever the gateway's row says.
      acknowledgedAt: eb.fn.coalesce('acknowledgedAt', eb.val(row.acknowledgedAt)),
      acknowledgedBy: eb.fn.coalesce('acknowledgedBy', eb.val(row.acknowledgedBy)),
    }))
    await query.where('id', '=', id).where('gatewayId', '=', from.id).execute()
  }
}
