import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createKeyedLock, type KeyedLock } from '../../domain/keyed-lock.ts'
import { clientOptions, prepareSession } from './connection.ts'

/** Locks across all processes on a database. The server holds them and releases those of a process that is gone. */
export interface ProcessLocks {
  /** The lock for one kind of work. Call once per process; within the process, work runs in order of arrival. */
  named(name: string): KeyedLock
  /** Runs `work` in one process at a time, for schema changes. */
  whileOpening<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface LockTimes {
  /** How long a process waits before it asks again for a lock that another process holds. */
  pollMs: number
  /** How often the connection is tested, and after how long without an answer it counts as lost. */
  beatMs: number
  silenceMs: number
}

/** The `application_name` of the one connection of each process that holds its locks. */
export const LOCK_HOLDER = 'fiskd locks'

const TIMES: LockTimes = { pollMs: 25, beatMs: 5_000, silenceMs: 15_000 }

/**
 * Opens the one connection that holds this process's locks. When the connection is lost, the locks are lost too.
 * @param onLost called once with the reason when the connection is lost: the process has to end
 */
export async function openLocks(
  url: string,
  onLost: (problem: string) => void,
  { pollMs, beatMs, silenceMs }: LockTimes = TIMES,
): Promise<ProcessLocks> {
  const client = new pg.Client({ ...clientOptions(url), application_name: LOCK_HOLDER })
  // `connect` rejects with the same error.
  client.on('error', () => {})
  await client.connect()
  let ended: string | undefined
  const end = (why: string) => {
    if (ended !== undefined) return
    ended = why
    clearInterval(beat)
    onLost(`the connection that holds the locks of this process was lost: ${why}`)
  }
  const line = createKeyedLock()
  /** Runs one query at a time, in order of arrival. */
  const inTurn = <T>(query: () => Promise<T>) => line.run('connection', query)
  const beat = setInterval(async () => {
    const patience = new AbortController()
    const silence = setTimeout(silenceMs, 'no answer', { signal: patience.signal, ref: false }).catch(() => undefined)
    const answer = inTurn(() => client.query('SELECT 1')).then(() => 'an answer')
    answer.catch((error: Error) => end(error.message))
    if ((await Promise.race([answer, silence]).catch(() => undefined)) === 'no answer') end('it does not answer')
    patience.abort()
  }, beatMs)
  beat.unref()
  client.on('error', (error) => end(error.message))
  client.on('end', () => end('the server closed it'))
  await inTurn(() => prepareSession(client)).catch(async (error: unknown) => {
    ended = 'it could not be used'
    clearInterval(beat)
    await client.end()
    throw error
  })

  const ask = async (question: keyof typeof QUESTIONS, id: string): Promise<boolean> => {
    if (ended !== undefined) throw new Error(`the locks of this process are lost: ${ended}`)
    const query = { name: question, text: QUESTIONS[question], values: [id] }
    const { rows } = await inTurn(() => client.query<{ said: boolean }>(query))
    return rows[0]?.said === true
  }

  async function run<T>(id: string, work: () => Promise<T>): Promise<T> {
    while (!(await ask('take', id))) await setTimeout(pollMs * (0.5 + Math.random()))
    try {
      return await work()
    } finally {
      // No wait is needed: the next request for this lock uses the same connection and runs after this query.
      ask('leave', id).catch(() => {})
    }
  }

  return {
    named(name) {
      const here = createKeyedLock()
      return {
        run: (key, work) => here.run(key, () => run(idOf(name, key), work)),
        isHeld: async (key) => (await here.isHeld(key)) || ask('isHeld', idOf(name, key)),
      }
    },
    whileOpening: (work) => run(OPENING, work),
    async close() {
      ended ??= 'it was closed'
      clearInterval(beat)
      await client.end()
    },
  }
}

/** `$1` is the id of a lock; each statement is prepared once. */
const QUESTIONS = {
  take: 'SELECT pg_try_advisory_lock($1::bigint) AS said',
  leave: 'SELECT pg_advisory_unlock($1::bigint) AS said',
  isHeld: `SELECT EXISTS (SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = $1::bigint) AS said`,
}

const OPENING = idOf('fiskd', 'opening')
/** Held by each transaction, so that they do not overlap. */
export const TRANSACTION = idOf('fiskd', 'transaction')

/** Held by each transaction that stores the records of one source. */
export const ingestLock = (source: string) => idOf('ingest', source)

/** 64 bits: a collision is so unlikely that two different keys practically never wait for each other. */
function idOf(name: string, key: string): string {
  return createHash('sha256').update(`${name}\0${key}`).digest().readBigInt64BE().toString()
}
