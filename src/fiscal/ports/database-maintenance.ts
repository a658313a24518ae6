import type { Readable } from 'node:stream'
import type { EpochMs } from '../../domain/instant.ts'

/** A database copied into one file. */
export interface DatabaseCopy {
  bytes: number
  /** Lowercase hex. */
  sha256: string
  invoices: number
  newestInvoiceAt: EpochMs | null
}

/** A copy on its way to whoever asked for it; nothing is left of it when it has been read or destroyed. */
export interface Backup extends DatabaseCopy {
  body: Readable
}

/** What the database knows about itself. Problems are for people, none when all is well; sales go on meanwhile. */
export interface DatabaseCare {
  /** Where the database is when it is no file of ours: `fileProblems` finds none then, and `backUp` throws. */
  server: string | null
  /** By SQLite's own check of every page. */
  fileProblems(): Promise<string[]>
  schemaProblems(): Promise<string[]>
  durabilityProblems(): Promise<string[]>
  /** Invoices whose columns say something else than their documents, and JIRs that more than one of them has. */
  contradictions(): Promise<{ strays: string[]; repeated: string[] }>
  /**
   * Copies the database as it is at this moment and checks the copy by opening it.
   * @throws Error when the copy is not whole, or could not be made; what there is of it stays
   */
  backUp(target: string): Promise<DatabaseCopy>
}
