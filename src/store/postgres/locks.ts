import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createKeyedLock, type KeyedLock } from '../../domain/keyed-lock.ts'
import { clientOptions, prepareSession } from './connection.ts'

/** Locks over all processes on a database. They are the server's: it lets go of them as soon as their process is gone. */
export interface ProcessLocks {
  /** For work of one kind, to be asked for once in a process; within it in order of arrival. */
  named(name: string): KeyedLock
  /** Of all processes one at a time brings the database up to date. */
  whileOpening<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface LockTimes {
  /** How long a process waits before it asks again for what another one holds. */
  pollMs: number
  /** How often the connection is tried, and after how long without an answer it is taken for lost. */
  beatMs: number
  silenceMs: number
}

/** By this name PostgreSQL shows one connection of each process that uses a database. */
export const LOCK_HOLDER = 'fiskd locks'

const TIMES: LockTimes = { pollMs: 25, beatMs: 5_000, silenceMs: 15_000 }

/**
 * Opens the one connection that holds this process's locks. Without it nobody knows any more what it holds.
 * @param onLost told once when it is gone, with the reason: the process has to end
 */
export async function openLocks(
  url: string,
  onLost: (problem: string) => void,
  { pollMs, beatMs, silenceMs }: LockTimes = TIMES,
): Promise<ProcessLocks> {
  const client = new pg.Client({ ...clientOptions(url), application_name: LOCK_HOLDER })
  // Whoever connects is told what goes wrong on the way.
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
  /** One question at a time, in the order in which they come. */
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
      // Nobody needs to wait for that: whoever asks for it next asks after it, on the same connection.
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

/** `$1` is a lock; each is prepared once. */
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

/** Held by each transaction that takes over what one source tells. */
export const ingestLock = (source: string) => idOf('ingest', source)

/** 64 bits: two of a billion keys would have to be under way at once to wait for each other without need. */
function idOf(name: string, key: string): string {
  return createHash('sha256').update(`${name}\0${key}`).digest().readBigInt64BE().toString()
}
