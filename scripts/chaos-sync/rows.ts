import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'

/** A row as text by column: what two databases of different kinds say of it can be compared. */
export type Row = Record<string, string>

/** What a gateway tells of, with what names a row, and the columns that say whose it is where it lies. */
const TABLES = {
  invoices: { key: ['id'], own: [] },
  messages: { key: ['id'], own: [] },
  devices: { key: ['id'], own: [] },
  certificates: { key: ['id'], own: ['sealed_key'] },
  print_jobs: { key: ['invoice_id', 'copy'], own: [] },
} as const
export type Table = keyof typeof TABLES
export const TABLE_NAMES = Object.keys(TABLES) as Table[]

const WHOSE = ['tenant_id', 'gateway_id', 'sync_version']

/** Rows by their key. */
export type Rows = Map<string, Row>

/** @param all rows as the driver gives them */
export function asText(table: Table, all: readonly Record<string, unknown>[]): Rows {
  const { key, own } = TABLES[table]
  const left: readonly string[] = [...WHOSE, ...own]
  return new Map(
    all.map((row) => [
      key.map((column) => String(row[column])).join('/'),
      Object.fromEntries(
        Object.entries(row)
          .filter(([column]) => !left.includes(column))
          .map(([column, value]) => [column, textOf(value)]),
      ),
    ]),
  )
}

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value)
  // Zipped anew, the same XML may be other bytes.
  return value.readUInt16BE(0) === 0x1f8b ? gunzipSync(value).toString('utf8') : value.toString('base64')
}

/** What lies in a SQLite file, of everybody or only the file's own. */
export function readSqlite(path: string, table: Table): Rows {
  const database = new Database(path, { readonly: true })
  try {
    return asText(table, database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all())
  } finally {
    database.close()
  }
}

/** How one side differs from the other, for people; none when they say the same. */
export function differences(table: Table, gateways: Rows, server: Rows): string[] {
  const problems: string[] = []
  for (const [key, row] of gateways) {
    const there = server.get(key)
    if (!there) problems.push(`${table} ${key} is not at the server`)
    for (const column of there ? new Set([...Object.keys(row), ...Object.keys(there)]) : []) {
      if (row[column] === there?.[column]) continue
      problems.push(`${table} ${key}: ${column} is ${row[column]} at the gateway and ${there?.[column]} at the server`)
    }
  }
  for (const key of server.keys()) if (!gateways.has(key)) problems.push(`${table} ${key} is at the server alone`)
  return problems
}
