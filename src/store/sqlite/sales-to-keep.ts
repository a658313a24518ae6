import type Database from 'better-sqlite3'
import { readUnchanged } from '../shared/database-origin.ts'

/** Sales that must not be deleted with their database, by what they are. */
export interface SalesToKeep {
  live: number
  withoutJir: number
  /** Of a gateway: those that its central server does not have. */
  untold: number
}

const TOLD = `SELECT 1 FROM outbox WHERE outbox.kind = 'invoice' AND outbox.id = invoices.id
  AND outbox.position <= (SELECT sync_enrolment.position FROM sync_enrolment)`
const REFUSED = `SELECT 1 FROM sync_refusals AS refused WHERE refused.kind = 'invoice' AND refused.id = invoices.id`
// While older rows get their positions in the outbox, those that they have may be of an earlier enrolment.
const UNTOLD = `EXISTS (SELECT 1 FROM sync_enrolment WHERE gateway_id <> '')
  AND (NOT EXISTS (${TOLD}) OR EXISTS (${REFUSED}) OR EXISTS (SELECT 1 FROM outbox_gap))`
const COUNTS = `SELECT count(*) FILTER (WHERE mode = 'live') AS live, count(*) FILTER (WHERE jir IS NULL) AS withoutJir,
  count(*) FILTER (WHERE ${UNTOLD}) AS untold FROM invoices`

/** Reads a database of this version that no process uses, unchanged. @throws UnusableDatabase; Error of SQLite */
export function salesToKeep(path: string): SalesToKeep {
  const count = (database: Database.Database) => database.prepare<[], SalesToKeep>(COUNTS).get()
  return readUnchanged(path, count) ?? { live: 0, withoutJir: 0, untold: 0 }
}
