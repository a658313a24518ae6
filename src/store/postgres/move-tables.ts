import { setImmediate } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { sql } from 'kysely'
import type { Db } from '../sqlite/connection.ts'

/** The tables to move, in the order of their foreign keys. */
export const MOVED_TABLES = [
  ...[
    'meta',
    'tenants',
    'branding',
    'logos',
    'companies',
    'devices',
    'certificates',
    'numbering_levels',
    'sequences',
    'reserved_numbers',
  ],
  ...[
    'numbers_ahead',
    'invoices',
    'messages',
    'idempotency_keys',
    'printers',
    'paper_rolls',
    'print_jobs',
    'api_keys',
    'users',
    'sessions',
    'password_links',
    'recovery_codes',
    'audit_log',
  ],
  ...['alerts', 'gateways', 'premises_claims', 'refused_records', 'gateway_commands', 'command_attachments'],
  ...[
    'mails',
    'notices',
    'office_mails',
    'office_mail_files',
    'jobs',
    'job_rows',
    'closings',
    'closing_schedules',
    'device_tags',
    'saved_views',
  ],
] as const

/** The tables that are not moved: they concern one process, belong to a gateway, or follow from the invoices. */
export const LEFT_TABLES = [
  'turnover',
  'leases',
  'outbox',
  'outbox_gap',
  'sync_enrolment',
  'sync_refusals',
  'received_commands',
] as const

type Row = Record<string, unknown>

const BATCH = 500

/** Copies a table, reads each row back and compares it. @returns how many rows were copied */
export async function copyTable(source: Database.Database, db: Db, table: string): Promise<number> {
  const columns = source.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const insert = async (rows: Row[]) => {
    const values = rows.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`)
    const { rows: stored } = await sql<Row>`
      INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)} RETURNING ${names}`.execute(
      db.withoutPlugins(),
    )
    for (const [i, row] of rows.entries()) requireSame(table, columns, row, stored[i])
    // Lets the process handle signals.
    await setImmediate()
  }
  let [count, batch]: [number, Row[]] = [0, []]
  for (const row of source.prepare<[], Row>(`SELECT * FROM ${table}`).iterate()) {
    batch.push(row)
    count++
    if (batch.length < BATCH) continue
    await insert(batch)
    batch = []
  }
  if (batch.length > 0) await insert(batch)
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(db)
  if (counted.rows[0]?.count !== count) throw new Error(`of ${count} rows of ${table} others were stored`)
  return count
}

function requireSame(table: string, columns: string[], row: Row, stored: Row | undefined): void {
  const differing = columns.find((name) => !isSame(row[name], stored?.[name]))
  if (differing !== undefined) throw new Error(`a row of ${table} came back with another ${differing}`)
}

const isSame = (one: unknown, other: unknown) =>
  Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other
