import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { DatabaseAway } from '../../fiscal/ports/database-reach.ts'
import type { InvoiceLock } from '../../fiscal/ports/invoice-lock.ts'
import type { Db } from '../sqlite/connection.ts'
import { lockId } from './advisory-locks.ts'
import { clientOptions, cutOff } from './connection.ts'

/**
 * Processes of fiskd 1.0 have no rows in `processes`. Their transactions hold one lock in turn, and what one of them
 * works on it holds by a session lock. While such processes live, after an upgrade has begun, this process keeps to
 * their rules beside its own. None starts any more once the schema is newer than it knows.
 */
export interface OlderProcesses {
  /** Whether some are there, as far as this process knows; once false, it stays false. */
  areThere(): boolean
  /** Called first in each transaction: waits for their transactions, and makes them wait for this one. */
  letWait(trx: Db): Promise<void>
  /** The same lock for them and for us. @param lock the lock among processes of this release */
  shared(lock: InvoiceLock): InvoiceLock
  close(): Promise<void>
}

/** The `application_name` of the one connection of each of them that holds its locks. */
const HOLDER = 'fiskd locks'

/** @param lookMs how often this process looks @param goneMs after so long without them they are gone */
export interface OlderTimes {
  lookMs: number
  goneMs: number
}

/** One that lost the connection with its locks may finish what it had begun. */
const TIMES: OlderTimes = { lookMs: 2_000, goneMs: 30_000 }

const POLL_MS = 25
/** So long an answer about a lock may take. */
const SILENCE_MS = 2_000

/** Whether a process of fiskd 1.0 uses the database. */
export async function olderLive(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${HOLDER}) AS found`.execute(db)
  return rows[0]?.found === true
}

/**
 * Looks for them until they are gone. Call it when the schema is up to date.
 * @param url of the database itself: the locks belong to a session, which a pooler between would share
 */
export async function watchOlderProcesses(
  db: Db,
  url: string,
  { lookMs, goneMs }: OlderTimes = TIMES,
): Promise<OlderProcesses> {
  let seenAt = (await olderLive(db)) ? performance.now() : undefined
  const end = new AbortController()
  const watch = async () => {
    while (seenAt !== undefined && !end.signal.aborted) {
      await setTimeout(lookMs, undefined, { signal: end.signal, ref: false }).catch(() => {})
      if (end.signal.aborted) return
      // While the database cannot be reached, what was seen last holds.
      const found = await olderLive(db).catch(() => true)
      if (found) seenAt = performance.now()
      else if (performance.now() - seenAt > goneMs) seenAt = undefined
    }
    await session.close()
  }
  const session = lockSession(url)
  const watched = watch()
  const areThere = () => seenAt !== undefined

  async function beside<T>(invoiceId: string, work: () => Promise<T>): Promise<T> {
    if (!areThere()) return work()
    const id = lockId('invoice', invoiceId)
    while (!(await session.ask('take', id))) await setTimeout(POLL_MS * (0.5 + Math.random()))
    try {
      return await work()
    } finally {
      session.ask('leave', id).catch(() => {})
    }
  }

  async function notTheirs(ids: readonly string[]): Promise<readonly string[]> {
    if (!areThere() || ids.length === 0) return ids
    const { rows } = await sql<{ lock: string }>`
      SELECT (classid::bigint << 32 | objid::bigint)::text AS lock FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db)
    const held = new Set(rows.map(({ lock }) => lock))
    return ids.filter((id) => !held.has(lockId('invoice', id)))
  }

  return {
    areThere,
    async letWait(trx) {
      // Theirs hold it alone; ours share it.
      if (areThere()) await sql`SELECT pg_advisory_xact_lock_shared(${TRANSACTION}::bigint)`.execute(trx)
    },
    shared: (lock) => ({
      run: (id, work) => lock.run(id, () => beside(id, work)),
      runNew: (id, work) => lock.runNew(id, () => beside(id, work)),
      claim: async (ids, most) => lock.claim(await notTheirs(ids), most),
      isHeld: async (id) => (await lock.isHeld(id)) || (await notTheirs([id])).length === 0,
      requireHeld: lock.requireHeld,
    }),
    async close() {
      end.abort()
      await watched
    },
  }
}

/** `$1` is the id of a lock. */
const QUESTIONS = {
  take: 'SELECT pg_try_advisory_lock($1::bigint) AS said',
  leave: 'SELECT pg_advisory_unlock($1::bigint) AS said',
}

/** One connection, opened when it is first needed, and again when it was lost: older processes may then do our work. */
function lockSession(url: string) {
  let opened: Promise<pg.Client> | undefined
  const connect = async () => {
    const name = 'fiskd beside older'
    const client = new pg.Client({ ...clientOptions(url), application_name: name, query_timeout: SILENCE_MS })
    client.on('error', () => {
      opened = undefined
    })
    await client.connect()
    return client
  }
  return {
    async ask(question: keyof typeof QUESTIONS, id: string): Promise<boolean> {
      // What was held went with the connection.
      if (question === 'leave' && !opened) return false
      opened ??= connect()
      const connection = opened
      try {
        const { rows } = await (await connection).query<{ said: boolean }>(QUESTIONS[question], [id])
        return rows[0]?.said === true
      } catch (error) {
        if (opened === connection) opened = undefined
        connection.then(cutOff).catch(() => {})
        throw new DatabaseAway(error)
      }
    },
    async close() {
      await opened?.then((client) => client.end()).catch(() => {})
      opened = undefined
    },
  }
}

const TRANSACTION = lockId('fiskd', 'transaction')
