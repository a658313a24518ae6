import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { DatabaseAway } from '../../fiscal/ports/store.ts'
import type { Tables } from '../shared/tables.ts'
import { isWrittenOnce } from '../shared/written-once.ts'
import { connectionsTo } from './connect.ts'
import { cutOff, isLost, isRefusal, namesAreUnknown, prepareSession, wasRefusedForNow } from './connection.ts'
import type { WatchedReach } from './reach.ts'

/** Sales of one premises queue before they take a connection: the other connections serve everything else. */
const MOST_CONNECTIONS = 10

/** How long, and how often, a connection is tried to get; in milliseconds. */
const PATIENCE_MS = 3_500
const AGAIN_MS = 100

/** The connection broke before the transaction was to be stored: nothing of it is. */
class TransactionLost extends DatabaseAway {}

/** Statements cannot have names, because of a proxy between, or cannot keep them. They have none from now on. */
class NamesRefused extends Error {}

/** Nothing of the transaction is stored, and the same one may succeed now. */
export const mayBeRepeated = (error: unknown): boolean =>
  wasRefusedForNow(error) || error instanceof TransactionLost || error instanceof NamesRefused

export interface PoolDeps extends Pick<WatchedReach, 'here' | 'suspect'> {
  /** A query has failed, and not because of a constraint. */
  onTrouble(error: unknown): void
}

const ALWAYS_HERE: PoolDeps = { here: async () => {}, suspect: () => {}, onTrouble: () => {} }

export type Pool = ReturnType<typeof openPool>

/**
 * A pool of connections to a server. It connects on demand, and again after the database was unreachable. A read whose
 * connection breaks is repeated over another one; any other query throws `DatabaseAway`, and its outcome is unknown.
 */
export function openPool(url: string, { here, suspect, onTrouble } = ALWAYS_HERE, name = 'fiskd') {
  // The time of a connection is limited, the time of waiting for one of the pool is not: `cut` ends that.
  const pool = new pg.Pool({ application_name: name, max: MOST_CONNECTIONS, Client: connectionsTo(url) as never })
  const prepared = new WeakSet<pg.PoolClient>()
  const clients = new Set<pg.PoolClient>()
  const waiting = new Map<object, number>()
  const names = createNames()
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  // The server ended an idle connection: the next query opens another one.
  pool.on('error', suspect)

  function timed<T>(work: Promise<T>): Promise<T> {
    const entry = {}
    waiting.set(entry, performance.now())
    return work.finally(() => waiting.delete(entry))
  }

  async function open(): Promise<pg.PoolClient> {
    const client = await timed(pool.connect())
    if (prepared.has(client)) return client
    try {
      await timed(prepareSession(client))
    } catch (error) {
      client.release(true)
      throw error
    }
    prepared.add(client)
    return client
  }

  /** Nothing was asked yet, so this can be tried again. */
  async function take(): Promise<pg.PoolClient> {
    for (let until = performance.now() + PATIENCE_MS; ; ) {
      await here()
      try {
        return await open()
      } catch (error) {
        if (!isLost(error)) throw error
        suspect()
        if (performance.now() > until) throw new TransactionLost(error)
        await setTimeout(AGAIN_MS)
      }
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    let client: pg.PoolClient | undefined = await take()
    let inTransaction = false

    async function ask(text: string, values: readonly unknown[]) {
      client ??= await take()
      const result = await timed(client.query(names.queryOf(text, values)))
      // After a failed statement PostgreSQL treats `commit` as `rollback`, and only `command` shows it.
      if (text === 'commit' && result.command !== 'COMMIT') {
        throw new Error('the transaction was not stored: one of its statements had failed')
      }
      if (BEGINS.test(text)) inTransaction = true
      return result
    }

    async function query(text: string, values: readonly unknown[], isAgain = false) {
      try {
        return await ask(text, values)
      } catch (error) {
        if (namesAreUnknown(error)) {
          names.refuse()
          if (inTransaction) throw new NamesRefused('statements cannot have names here', { cause: error })
          return ask(text, values)
        }
        if (text !== 'rollback' && !isLost(error)) throw error
        client?.release(true)
        client = undefined
        suspect()
        // The connection is gone, and the transaction with it; the earlier error says why.
        if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
        if (inTransaction) throw text === 'commit' ? new DatabaseAway(error) : new TransactionLost(error)
        if (isAgain || !(BEGINS.test(text) || READS.test(text))) throw new DatabaseAway(error)
        return query(text, values, true)
      }
    }
    return {
      query: (text: string, values: readonly unknown[]) => query(text, values),
      release: () => client?.release(),
    } as unknown as PostgresPoolClient
  }

  const checked: PostgresPool = { connect, end: () => pool.end() }
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: checked }),
      plugins: [new CamelCasePlugin()],
      log: (event) => {
        if (event.level === 'error' && !isRefusal(event.error)) onTrouble(event.error)
      },
    }),
    /** Since when the oldest query waits for its answer, by `performance.now`; undefined when none waits. */
    waitsSince: (): number | undefined => waiting.values().next().value,
    /** Closes every connection at once: what waits for an answer fails. */
    cut(): void {
      for (const client of clients) cutOff(client)
    },
  }
}

const BEGINS = /^(begin|start transaction)\b/
/** What may be asked twice. */
const READS = /^\s*select\b/i

/** PostgreSQL prepares a statement with a name once per connection: only those whose text never changes have one. */
function createNames() {
  const names = new Map<string, string>()
  let areRefused = false

  function nameOf(text: string): string | undefined {
    if (areRefused || !isWrittenOnce(text)) return undefined
    const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 32)
    names.set(text, name)
    return name
  }

  return {
    queryOf(text: string, given: readonly unknown[]): pg.QueryConfig {
      const values = READS.test(text) ? given.map(withoutNul) : [...given]
      const name = nameOf(text)
      return { text, values, ...(name && { name }) }
    },
    refuse() {
      areRefused = true
    },
  }
}

/** PostgreSQL text cannot contain NUL: a search for such a text finds nothing instead of failing. */
const withoutNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
