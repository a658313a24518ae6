import Database from 'better-sqlite3'
import pg from 'pg'
import type { SyncRecord, SyncRows } from '../../src/fiscal/ports/outbox.ts'
import { DEFAULT_TENANT, openStore } from '../../src/store/store.ts'
import { noChanges } from '../../src/sync/server/decide-on-rows.ts'
import { type BenchGateway, parentsOf, type Sale } from './fleet-rows.ts'

type Insert = (table: string, columns: readonly string[], rows: unknown[][]) => Promise<void>

/** Gateways, once or for each of their machines, with their companies, certificates, devices and premises, as if they had enrolled and told of them. */
export async function storeGateways(location: string, fleet: readonly BenchGateway[]): Promise<void> {
  const store = await openStore(location, Date.now())
  const told = new Set<string>()
  for (let start = 0; start < fleet.length; start += 500) {
    await store.transaction(async (tx) => {
      for (const gateway of fleet.slice(start, start + 500)) {
        if (!told.has(gateway.record.id)) await tx.gateways.insert(gateway.record)
        told.add(gateway.record.id)
        const { companyId, premisesCode } = gateway.device
        await tx.gateways.claims.add([{ companyId, premisesCode }], gateway.record.id, Date.now())
        const changes = noChanges()
        for (const record of parentsOf(gateway)) {
          if (told.has(record.id)) continue
          told.add(record.id)
          ;(changes[record.kind].insert as SyncRecord[]).push(record)
        }
        await tx.replicas.write(gateway.record, changes)
      }
    })
  }
  await store.close()
}

/** Fills in sales that are stored already, the quick way: straight into the tables, with nothing kept durable meanwhile. */
export async function fillWith(location: string, fleet: readonly BenchGateway[], sales: Iterable<Sale>): Promise<void> {
  const { insert, close } = location.startsWith('postgres') ? await intoPostgres(location) : intoSqlite(location)
  const invoices: unknown[][] = []
  const messages: unknown[][] = []
  const flush = async () => {
    await insert('invoices', INVOICES, invoices.splice(0))
    await insert('messages', MESSAGES, messages.splice(0))
  }
  for (const { gateway, invoice, message } of sales) {
    invoices.push(invoiceValues(gateway.record.id, invoice))
    if (message) messages.push(messageValues(message.row))
    if (invoices.length === 500) await flush()
  }
  await flush()
  await insert('sequences', SEQUENCES, fleet.filter(({ number }) => number > 0).map(sequenceValues))
  await insert('numbering_levels', LEVELS, fleet.filter(({ number }) => number > 0).map(levelValues))
  await close()
  const store = await openStore(location, Date.now())
  await store.transaction(async (tx) => {
    for (const { record, version } of fleet) await tx.gateways.update(record.id, { position: version })
  })
  await store.close()
}

const INVOICES = [
  ...['id', 'tenant_id', 'company_id', 'device_id', 'certificate_id', 'gateway_id', 'sync_version', 'mode', 'status'],
  ...['jir', 'zki', 'premises_code', 'year', 'sequence_register', 'number', 'number_supplied', 'occurred_at_text'],
  ...['occurred_at', 'document', 'receipt', 'late_delivery', 'attempts', 'deadline_at', 'confirmed_at', 'created_at'],
  ...['journal_position', 'seal', 'last_error_class', 'error_code', 'error_message'],
]
const MESSAGES = [
  ...['id', 'invoice_id', 'message_uuid', 'attempt_no', 'http_status', 'duration_ms', 'created_at', 'request_xml'],
  'response_xml',
]
const LEVELS = ['company_id', 'mode', 'premises_code', 'year', 'level']
const SEQUENCES = ['company_id', 'mode', 'premises_code', 'year', 'register', 'highest']

function invoiceValues(gatewayId: string, record: Sale['invoice']): unknown[] {
  const { row } = record
  const { document } = row
  return [
    ...[row.id, DEFAULT_TENANT, row.companyId, row.deviceId, row.certificateId, gatewayId, record.version, row.mode],
    ...[row.status, row.jir, document.zki, document.premisesCode, row.year, '', document.number, 0],
    ...[row.occurredAtText, row.occurredAt, JSON.stringify(document), JSON.stringify(row.receipt), 0, row.attempts],
    ...[row.deadlineAt, row.confirmedAt, row.createdAt, row.journalPosition, row.seal],
    ...[row.lastErrorClass, row.errorCode, row.errorMessage],
  ]
}

const messageValues = (row: SyncRows['message']) => [
  ...[row.id, row.invoiceId, row.messageUuid, row.attemptNo, row.httpStatus, row.durationMs, row.createdAt],
  ...[row.requestXml, row.responseXml],
]

const levelValues = ({ company, device }: BenchGateway) => [company.id, company.mode, device.premisesCode, 2026, 'P']
const sequenceValues = ({ company, device, number }: BenchGateway) => [
  ...[company.id, company.mode, device.premisesCode, 2026, '', String(number)],
]

function intoSqlite(path: string): { insert: Insert; close: () => Promise<void> } {
  const db = new Database(path)
  for (const pragma of ['synchronous = OFF', 'cache_size = -400000', 'foreign_keys = OFF']) db.pragma(pragma)
  return {
    async insert(table, columns, rows) {
      const slots = columns.map(() => '?').join(',')
      const statement = db.prepare(`INSERT INTO ${table} (${columns.join(',')}) VALUES (${slots})`)
      db.transaction(() => {
        for (const row of rows) statement.run(row)
      })()
    },
    async close() {
      db.pragma('wal_checkpoint(TRUNCATE)')
      db.close()
    },
  }
}

async function intoPostgres(url: string): Promise<{ insert: Insert; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('SET synchronous_commit = off')
  return {
    async insert(table, columns, rows) {
      for (let start = 0; start < rows.length; start += 500) {
        const some = rows.slice(start, start + 500)
        const tuple = (_: unknown, i: number) =>
          `(${columns.map((__, j) => `$${i * columns.length + j + 1}`).join(',')})`
        const text = `INSERT INTO ${table} (${columns.join(',')}) VALUES ${some.map(tuple).join(',')}`
        await client.query(text, some.flat())
      }
    },
    async close() {
      await client.query('VACUUM ANALYZE')
      await client.query('CHECKPOINT')
      await client.end()
    },
  }
}
