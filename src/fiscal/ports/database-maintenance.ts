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

/** A database copy as a stream for the caller. The copy is deleted when the stream has been read or destroyed. */
export interface Backup extends DatabaseCopy {
  body: Readable
}

/**
 * What a database server has for the loss of its machine. `not connected`: commits wait for a standby that is away.
 * `not shown`: the role of fiskd may not see it.
 */
export type Standby = 'waited for' | 'asynchronous' | 'none' | 'not connected' | 'not shown'

export interface Contradictions {
  /** Ids of invoices whose columns differ from their documents. */
  strays: string[]
  /** JIRs that several invoices share. */
  repeated: string[]
  /** Days and months whose sums are not those of the invoices. */
  sums: string[]
}

/** Checks and copies, while sales continue. Problems are texts for the operator, empty when all is well. */
export interface DatabaseCare {
  /** The address of the database server; null for a file. With a server `fileProblems` is empty and `backUp` throws. */
  server: string | null
  /** The result of SQLite's own check of every page. */
  fileProblems(): Promise<string[]>
  /** Brings what is committed from the log into the database file, flushed. Does nothing with a server. */
  checkpoint(): Promise<void>
  schemaProblems(): Promise<string[]>
  durabilityProblems(): Promise<string[]>
  /** Settings of a database server that are wrong, but that fiskd overrides for its own sessions. */
  durabilityDefaults(): Promise<string[]>
  /** Whether a standby has what was committed. Only for a database server. */
  standby(): Promise<Standby>
  /** Whether Patroni runs the database server: it overwrites what others change in its files. */
  hasPatroni(): Promise<boolean>
  contradictions(): Promise<Contradictions>
  /** Copies the database and checks the copy. @throws Error for a damaged or failed one; a part of it is not deleted */
  backUp(target: string): Promise<DatabaseCopy>
}
