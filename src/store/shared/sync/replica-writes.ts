import type { Insertable, Updateable } from 'kysely'
import type { GatewayRecord } from '../../../fiscal/ports/gateways.ts'
import type { SyncKind } from '../../../fiscal/ports/outbox.ts'
import type { ReplicaChanges, Replicas } from '../../../fiscal/ports/replicas.ts'
import { BrokenRule } from '../../../fiscal/ports/store.ts'
import { type Db, refusingDuplicates } from '../../sqlite/connection.ts'
import { alertRow, companyOf } from '../alerts.ts'
import { insertMany } from '../bulk-statements.ts'
import { requestRow } from '../invoices/authority-requests.ts'
import { invoiceRow, progressRow } from '../invoices/invoices.ts'
import { logos } from '../logos.ts'
import { change } from '../queries.ts'
import { certificateRow, companyRow, deviceRow } from '../registry.ts'
import type { Tables } from '../tables.ts'
import { dropForeignClaims } from './premises-claims.ts'
import { moveWhatIsUnique } from './replica-moves.ts'
import { noteAhead, raiseNumbers } from './replica-numbers.ts'
import { knownRows } from './replica-reads.ts'

type From = Pick<GatewayRecord, 'id' | 'tenantId'>
type RecordOf<K extends SyncKind> = ReplicaChanges[K]['insert'][number]

/** Where the rows of a kind are stored, as which columns, and what of these changes after the first time. */
interface Kind<K extends SyncKind, T extends keyof Tables> {
  table: T
  key?: readonly (keyof RecordOf<K>['row'] & string)[]
  columns(row: RecordOf<K>['row'] & { tenantId: string; gatewayId: string }): Omit<Insertable<Tables[T]>, 'gatewayId'>
  changes(row: RecordOf<K>['row']): Updateable<Tables[T]>
}

/** Nothing is signed here with a gateway's certificate: its key never leaves the gateway. */
const NO_KEY = Buffer.alloc(0)

const CERTIFICATE: Kind<'certificate', 'certificates'> = {
  table: 'certificates',
  columns: ({ tenantId: _tenant, ...row }) => certificateRow({ ...row, sealedKey: NO_KEY }),
  changes: ({ label, supersededAt, revokedAt }) => ({ label, supersededAt, revokedAt }),
}

const DEVICE: Kind<'device', 'devices'> = {
  table: 'devices',
  columns: deviceRow,
  changes: ({ id: _id, companyId: _company, premisesCode: _code, createdAt: _created, ...row }) => deviceRow(row),
}

const INVOICE: Kind<'invoice', 'invoices'> = {
  table: 'invoices',
  columns: invoiceRow,
  changes: progressRow,
}

const PRINT_JOB: Kind<'print_job', 'printJobs'> = {
  table: 'printJobs',
  key: ['invoiceId', 'copy'],
  columns: ({ tenantId: _tenant, ...row }) => row,
  changes: ({ status, begunAt, endedAt, detail, reason }) => ({ status, begunAt, endedAt, detail, reason }),
}

const REQUEST: Kind<'request', 'authorityRequests'> = {
  table: 'authorityRequests',
  columns: (row) => requestRow({ ...row, jobRow: null, requestXml: null, responseXml: null }),
  changes: ({ state, answeredAt, code, message }) => ({ state, answeredAt, code, message }),
}

/** Whose an alert is follows from rows of this database; it is written afterwards. */
const ALERT: Kind<'alert', 'alerts'> = {
  table: 'alerts',
  columns: (row) => alertRow({ ...row, companyId: null }),
  changes: ({ detail, resolvedAt }) => alertRow({ detail, resolvedAt }),
}

/** New rows with one bulk insert per kind, changed ones one by one. @throws Overtaken for a row of another gateway */
async function writeReplicas(db: Db, gateway: From, decided: ReplicaChanges): Promise<void> {
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
  await write(db, gateway, REQUEST, changes.request)
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
  { table, key = ['id' as never], columns, changes }: Kind<K, T>,
  { insert, update }: { insert: RecordOf<K>[]; update: RecordOf<K>[] },
): Promise<void> {
  const { id: gatewayId, tenantId } = from
  const rows = insert.map(({ row, version }) => {
    const columnsOfRow = columns({ ...row, tenantId, gatewayId })
    return { ...columnsOfRow, gatewayId, syncVersion: version } as unknown as Insertable<Tables[T]>
  })
  await insertMany(db, table, rows)
  for (const record of update) {
    const row: RecordOf<K>['row'] = record.row
    const whose = Object.fromEntries(key.map((name) => [name, row[name]]))
    // Each of the tables has these columns.
    const stored = await change(
      db,
      table as 'alerts',
      { ...whose, gatewayId },
      { ...changes(row), syncVersion: record.version },
    )
    if (!stored) throw new Overtaken()
  }
}

async function writeCompanies(db: Db, from: From, { insert, update }: ReplicaChanges['company']): Promise<void> {
  const hashes = new Map<string, string>()
  for (const { id, row } of [...insert, ...update]) if (row.logo) hashes.set(id, await logos(db).put(row.logo))
  const company: Kind<'company', 'companies'> = {
    table: 'companies',
    columns: ({ logo: _logo, ...row }) => companyRow({ ...row, logoHash: hashes.get(row.id) ?? null }),
    changes: ({ id, name, mode, status, vatRegistered, address, fiscalConfig }) =>
      companyRow({ name, mode, status, vatRegistered, address, fiscalConfig, logoHash: hashes.get(id) ?? null }),
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

export function replicas(db: Db): Replicas {
  return {
    known: (records) => knownRows(db, records),
    async write(gateway, changes) {
      try {
        await refusingDuplicates(db, () => writeReplicas(db, gateway, changes))
      } catch (error) {
        const rule = brokenRule(error)
        throw rule === undefined ? error : new BrokenRule(rule, error)
      }
    },
  }
}

/** SQLite names the rule in its message, as our triggers do; PostgreSQL names it in `constraint`. */
function brokenRule(error: unknown): string | undefined {
  const { code, message, constraint } = error as { code?: unknown; message?: unknown; constraint?: unknown }
  if (typeof code !== 'string') return undefined
  if (code.startsWith('SQLITE_CONSTRAINT')) return String(message)
  if (code.startsWith('23')) return typeof constraint === 'string' ? constraint : String(message)
  return undefined
}
