import Database from 'better-sqlite3'
import { higherReceiptNumber, isReceiptNumber } from '../domain/receipt-number.ts'
import type { Sequence } from '../fiscal/model.ts'

/** What a database tells of the numbers that were given out, and the proof of its vault key. */
export interface KnownNumbers {
  sequences: (Sequence & { highest: string })[]
  vaultProof: Buffer | null
}

const KEY = 'company_id AS companyId, mode, premises_code AS premisesCode, year'
const QUERIES = [
  `SELECT ${KEY}, register, highest FROM sequences`,
  `SELECT ${KEY}, sequence_register AS register, number AS highest FROM invoices`,
]

/**
 * Reads a database that may be broken, as far as it can be read. It is not changed, and what it does not tell is not
 * made up.
 */
export function readKnownNumbers(path: string): KnownNumbers {
  const found = new Map<string, Sequence & { highest: string }>()
  let vaultProof: Buffer | null = null
  let database: Database.Database | undefined
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    for (const query of QUERIES) readSome(database, query, found)
    vaultProof = (database.prepare("SELECT value FROM meta WHERE key = 'vault_proof'").pluck().get() as Buffer) ?? null
  } catch {
    // It tells nothing more.
  } finally {
    database?.close()
  }
  return { sequences: [...found.values()], vaultProof }
}

function readSome(database: Database.Database, query: string, found: Map<string, Sequence & { highest: string }>) {
  try {
    for (const row of database.prepare<[], Sequence & { highest: string }>(query).iterate()) {
      const { highest, ...sequence } = row
      if (!isReceiptNumber(highest)) continue
      const key = JSON.stringify(sequence)
      found.set(key, { ...sequence, highest: higherReceiptNumber(found.get(key)?.highest, highest) })
    }
  } catch {
    // A broken page: what came before it counts.
  }
}
