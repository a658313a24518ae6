import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../sqlite/connection.ts'
import { readCommitted } from './connection.ts'

/** 64 bits: a collision is so unlikely that two different keys practically never wait for each other. */
export function lockId(name: string, key: string): string {
  return createHash('sha256').update(`${name}\0${key}`).digest().readBigInt64BE().toString()
}

const OPENING = lockId('fiskd', 'opening')

/**
 * Runs work in one process at a time, for changes of the schema; it uses other connections than this transaction. That one
 * keeps no snapshot meanwhile: an index that is built concurrently would wait for it without end.
 */
export function whileOpening<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return readCommitted(db, async (trx) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
    // Written out: a statement with parameters leaves its portal, and with it a snapshot, until the next one.
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(OPENING)}::bigint)`.execute(trx)
    return work()
  })
}
