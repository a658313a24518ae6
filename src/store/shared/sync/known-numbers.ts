import type Database from 'better-sqlite3'
import { higherReceiptNumber, isReceiptNumber, type SequenceMark } from '../../../domain/sale/receipt-number.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { Sequence } from '../../../fiscal/ports/model.ts'
import { SKIPPED_UNTOLD } from '../../../fiscal/ports/rows/numbering.ts'
import { readDatabase } from '../../sqlite/with-database.ts'

/** The numbers that a database knows as given out, and the proof of its vault key. */
export interface KnownNumbers {
  path: string
  /** Why the database was not read completely: it may know more numbers. */
  problem: string | null
  /** `used` leaves out numbers that a restore reserved without knowing whether they were used. */
  sequences: (Sequence & { highest: string; used: string | null })[]
  /** Used numbers that counting does not follow: no sequence has to continue above them. */
  ahead: (Sequence & { number: string })[]
  levels: (Omit<Sequence, 'register'> & { level: SequenceMark })[]
  companies: { id: string; oib: string; mode: Mode }[]
  vaultProof: Buffer | null
  /** How many numbers restores have skipped that the central server was not told; null in one that was never restored. */
  skippedUntold: bigint | null
}

type Numbered = Sequence & { highest: string }

const PREMISES = 'company_id AS companyId, mode, premises_code AS premisesCode, year'

/** What a file knows of which nothing was read yet. */
export const knowingNothing = (path: string): KnownNumbers => ({
  path,
  problem: null,
  sequences: [],
  ahead: [],
  levels: [],
  companies: [],
  vaultProof: null,
  skippedUntold: null,
})

/** Reads a database that may be broken, as far as possible, without changing it. */
export function readKnownNumbers(path: string): KnownNumbers {
  const known = knowingNothing(path)
  const found = new Map<string, KnownNumbers['sequences'][number]>()
  const note = ({ highest, ...sequence }: Numbered, used: string | null) => {
    if (!isReceiptNumber(highest)) return
    const key = keyOf(sequence)
    const before = found.get(key)
    const most = used === null ? (before?.used ?? null) : higherReceiptNumber(before?.used ?? undefined, used)
    found.set(key, { ...sequence, highest: higherReceiptNumber(before?.highest, highest), used: most })
  }
  const readFrom = (open: Database.Database) => {
    const read = <Row>(query: string, take: (row: Row) => void) => {
      try {
        for (const row of open.prepare<[], Row>(query).iterate()) take(row)
      } catch (error) {
        // A broken page: the rows before it count.
        known.problem ??= (error as Error).message
      }
    }
    const has = (table: string) => open.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined
    const notFollowed = new Set<string>()
    if (has('numbers_ahead')) {
      read<Sequence & { number: string }>(`SELECT ${PREMISES}, register, number FROM numbers_ahead`, (row) => {
        notFollowed.add(keyOf({ ...row, highest: row.number }))
        known.ahead.push(row)
      })
    }
    const ends = new Set<string>()
    if (has('reserved_numbers')) {
      const ranges = `SELECT ${PREMISES}, register, last AS highest, used_to AS used FROM reserved_numbers`
      read<Numbered & { used: string | null }>(ranges, ({ used, ...end }) => {
        ends.add(keyOf(end))
        note(end, used)
      })
    }
    read<Numbered>(`SELECT ${PREMISES}, register, highest FROM sequences`, (row) => {
      note(row, ends.has(keyOf(row)) ? null : row.highest)
    })
    read<Numbered>(`SELECT ${PREMISES}, sequence_register AS register, number AS highest FROM invoices`, (row) => {
      if (!notFollowed.has(keyOf(row))) note(row, row.highest)
    })
    read<KnownNumbers['levels'][number]>(`SELECT ${PREMISES}, level FROM numbering_levels`, (row) => {
      known.levels.push(row)
    })
    read<KnownNumbers['companies'][number]>('SELECT id, oib, mode FROM companies', (row) => {
      known.companies.push(row)
    })
    read<{ value: Buffer }>("SELECT value FROM meta WHERE key = 'vault_proof'", ({ value }) => {
      known.vaultProof = value
    })
    read<{ value: Buffer }>(`SELECT value FROM meta WHERE key = '${SKIPPED_UNTOLD}'`, ({ value }) => {
      known.skippedUntold = BigInt(value.toString())
    })
  }
  try {
    readDatabase(path, readFrom)
  } catch (error) {
    known.problem ??= (error as Error).message
  }
  return { ...known, sequences: [...found.values()] }
}

function keyOf({ companyId, mode, premisesCode, year, register, ...end }: Sequence & { highest?: string }): string {
  return JSON.stringify([companyId, mode, premisesCode, year, register, end.highest])
}

/** Counts invoices that are in one database and not in another. @throws when one cannot be read */
export function missingInvoices(path: string, elsewhere: string): { invoices: number; withoutJir: number } {
  return readDatabase(path, (database) => {
    database.prepare('ATTACH ? AS other').run(elsewhere)
    const query = `SELECT count(*) AS invoices, count(*) - count(jir) AS withoutJir FROM main.invoices AS one
      WHERE NOT EXISTS (SELECT 1 FROM other.invoices WHERE id = one.id)`
    return database.prepare<[], { invoices: number; withoutJir: number }>(query).get() ?? { invoices: 0, withoutJir: 0 }
  })
}
