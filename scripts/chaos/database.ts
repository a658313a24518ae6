import { join } from 'node:path'
import Database from 'better-sqlite3'
import { SUMS, type Sum } from './sums.ts'

/** An invoice as the database holds it. */
export interface Stored {
  id: string
  status: string
  jir: string | null
  zki: string
  number: string
  premisesCode: string
  year: number
  deviceId: string
  occurredAt: string
  total: string
}

/** By the number that is printed, which no other invoice may have. */
export function nameOf({ premisesCode, year, number }: Pick<Stored, 'premisesCode' | 'year' | 'number'>): string {
  return `${number}/${premisesCode}/${year}`
}

/** What became of a receipt. */
export interface Printing {
  invoiceId: string
  copy: number
  status: string
}

export interface Kept {
  invoices: Stored[]
  receipts: Printing[]
  /** Which invoice each idempotency key stands for. */
  keys: { key: string; invoiceId: string }[]
  sums: Sum[]
  /** What SQLite itself finds wrong with the file. */
  damage: string[]
  /** Premises that a comparison with the record of issued sales has stopped, and alerts about either. */
  stopped: string[]
}

/** Reads the database of a daemon that has ended. */
export function readDatabase(dataDir: string): Kept {
  const db = new Database(join(dataDir, 'fiskd.db'), { readonly: true })
  try {
    const integrity = db.pragma('integrity_check') as { integrity_check: string }[]
    const strays = db.pragma('foreign_key_check') as { table: string }[]
    return {
      invoices: db.prepare(INVOICES).all() as Stored[],
      receipts: db.prepare(RECEIPTS).all() as Printing[],
      keys: db.prepare(KEYS).all() as Kept['keys'],
      sums: db.prepare(SUMS).all() as Sum[],
      stopped: db.prepare(STOPPED).pluck().all() as string[],
      damage: [
        ...integrity.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
        ...strays.map(({ table }) => `a row of ${table} refers to nothing`),
      ],
    }
  } finally {
    db.close()
  }
}

const INVOICES = `SELECT id, status, jir, zki, number, premises_code AS premisesCode, year, device_id AS deviceId,
  occurred_at_text AS occurredAt, document ->> '$.total' AS total FROM invoices ORDER BY id`
const RECEIPTS = 'SELECT invoice_id AS invoiceId, copy, status FROM print_jobs'
const STOPPED = `SELECT kind || ' ' || detail FROM alerts WHERE kind IN ('sales_lost', 'issued_record')
  UNION ALL SELECT key FROM meta WHERE key LIKE 'behind %'`
const KEYS = 'SELECT key, invoice_id AS invoiceId FROM idempotency_keys WHERE invoice_id IS NOT NULL'
